internal import Dispatch
@_spi(FlaskInternals) internal import FlaskArchive
public import Observation
internal import Synchronization

extension TypedSubstance: Observable {
  /// Made when it is first asked for.
  final var publisher: StatePublisher {
    if let made = publishing.load(ordering: .acquiring) { return made.object }
    let new = Borrowed.owned(StatePublisher(of: participant))
    let (isFirst, other) = publishing.compareExchange(
      expected: nil,
      desired: new,
      ordering: .acquiringAndReleasing
    )
    if isFirst { return new.object }
    defer { new.release() }
    return other?.object ?? new.object
  }

  final func releasePublisher() {
    publishing.load(ordering: .acquiring)?.release()
  }
}

/// Tells SwiftUI and its like, on the main thread, that a state has changed.
///
/// Changes that come from other threads faster than the main thread listens are told as one.
final class StatePublisher: Observable, Sendable {
  typealias Announcement = @Sendable () -> Void

  private struct State {
    /// Replaced, never changed in place: it is read outside of the lock.
    var announcements: [Announcement] = []
    var attachment: (any AnyObject & Sendable)?
    var isScheduled = false
  }

  /// Stands for the state in key paths.
  ///
  /// The list of what a tracked closure reads is a set of key paths: to get into it, a key path is hashed, and so are
  /// its arguments. By that the publisher learns whether anybody tracks; there is no function that says so.
  private struct Tracked: Hashable, Sendable {
    let participant: Participant

    static func == (a: Tracked, b: Tracked) -> Bool { a.participant === b.participant }

    func hash(into hasher: inout Hasher) {
      participant.setNotice(Participant.Notice.tracking, true)
      hasher.combine(ObjectIdentifier(participant))
    }
  }

  private let registrar = ObservationRegistrar()
  private let participant: Participant
  private nonisolated(unsafe) let keyPath: KeyPath<StatePublisher, Int>
  private let state = Lock(State())

  init(of participant: Participant) {
    self.participant = participant
    // Immutable, and made of `Sendable` values; made once, since each use of the literal makes a new one.
    keyPath = \StatePublisher[Tracked(participant: participant)]
  }

  private subscript(_ tracked: Tracked) -> Int { 0 }

  func noteAccess() { registrar.access(self, keyPath: keyPath) }

  /// Adds something to be called on the main thread after changes.
  func add(_ announcement: @escaping Announcement) {
    state.withLock { $0.announcements = $0.announcements + [announcement] }
    participant.setNotice(Participant.Notice.tracking, true)
  }

  /// An object that belongs to the substance, made when it is first asked for.
  func attachment<Object: AnyObject & Sendable>(_ make: () -> Object) -> (object: Object, isNew: Bool) {
    let new = make()
    return state.withLock { state in
      if let old = state.attachment as? Object { return (old, false) }
      state.attachment = new
      return (new, true)
    }
  }

  /// Tells of a commit, now if this is the main thread, else soon.
  func stateDidChange() {
    if MainThread.isCurrent { return announce() }
    let mustSchedule = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { DispatchQueue.main.async { self.announce() } }
  }

  private func announce() {
    let announcements = state.withLock { state in
      state.isScheduled = false
      return state.announcements
    }
    // Before those who track are told: whoever comes later tracks anew.
    if announcements.isEmpty { participant.setNotice(Participant.Notice.tracking, false) }
    registrar.withMutation(of: self, keyPath: keyPath) {}
    for announcement in announcements { announcement() }
  }
}
