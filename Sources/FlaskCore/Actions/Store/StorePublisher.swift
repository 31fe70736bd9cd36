internal import Dispatch
@_spi(FlaskInternals) internal import FlaskArchive
internal import Observation

/// Tells SwiftUI and its like, on the main thread, that a store has changed.
///
/// Nothing is told before somebody has read the state or asked for `objectWillChange`. Changes that come from other threads faster than
/// the main thread listens are told as one.
final class StorePublisher: Sendable {
  typealias Announcement = @Sendable () -> Void

  private struct State {
    var observation: SubstanceObservation?
    var announcements: [Announcement] = []
    var attachment: (any AnyObject & Sendable)?
    var isScheduled = false
  }

  let registrar = ObservationRegistrar()
  private let state = Lock(State())
  private let isListening = Lock(false)

  /// Whether the caller is the first to ask, and has to call `listen(_:)`.
  func mustListen() -> Bool {
    isListening.withLock { isListening in
      defer { isListening = true }
      return !isListening
    }
  }

  /// Holds what makes the store call `storeDidChange()`.
  func listen(_ observation: SubstanceObservation) { state.withLock { $0.observation = observation } }

  /// Adds something to be called on the main thread after changes.
  func add(_ announcement: @escaping Announcement) {
    state.withLock { $0.announcements = $0.announcements + [announcement] }
  }

  /// An object that belongs to the store, made when it is first asked for.
  func attachment<Object: AnyObject & Sendable>(_ make: () -> Object) -> (object: Object, isNew: Bool) {
    let new = make()
    return state.withLock { state in
      if let old = state.attachment as? Object { return (old, false) }
      state.attachment = new
      return (new, true)
    }
  }

  /// Tells of a commit, now if this is the main thread, else soon.
  func storeDidChange() {
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
    for announcement in announcements { announcement() }
  }
}
