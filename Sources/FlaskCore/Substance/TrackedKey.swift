internal import Dispatch
internal import Synchronization

/// Represents a key in the key paths that Observation gets. Each object is one generation of the key, from one
/// announced change to the next.
///
/// The accesses of a tracked closure are a set of key paths, and the registrar finds the tracking closures by key path
/// too; each hashes the key path, and so its arguments. The hash shows the publisher that a closure is tracked: the
/// library has no function for that. It also shows when a closure starts to track a value that has changed since it was
/// read: the library registers the accesses of a closure after the closure has returned, and would miss a change that
/// is announced in between. Such a key is announced again.
///
/// ```text
/// thread of the closure                        performer
/// reads the key: its key path is armed
///                                              publishes, `expire()`: the key is stale
///                                              `announce`: finds no closure
/// the closure returns, and is registered:
///   `hash(into:)` of a stale key schedules
///   the announcement that finds the closure
/// ```
final class TrackedKey: Hashable, Sendable {
  /// The index of the key in the layout of the state; -1 for the whole state.
  let number: Int
  private let home: Home
  private let state = Atomic(TrackedKeyState())
  /// The thread that is announcing the change of this key; 0 if none is. This thread hashes the key in order to find
  /// the tracking closures. So a hash on this thread does not mean a new closure.
  private let announcer = Atomic<UInt>(0)

  init(_ number: Int, of home: Home) {
    self.number = number
    self.home = home
    home.livingCount.add(1, ordering: .relaxed)
  }

  deinit { home.livingCount.subtract(1, ordering: .relaxed) }

  /// Whether a tracked closure has read the key, so that Observation must be notified of its change.
  var isArmed: Bool { state.load(ordering: .relaxed).isArmed }

  /// Whether the value of the key has changed since Observation got this object.
  var isStale: Bool { state.load(ordering: .relaxed).isStale }

  /// Marks the key as changed. Called after the commit was published.
  ///
  /// - Returns: whether the caller must announce the change.
  func expire() -> Bool { change { $0.expire() } }

  /// Resets this object, so that it represents the key until its next change. Call it only if no tracked closure refers
  /// to the object any more.
  ///
  /// - Returns: `false`, and resets nothing, if an announcement is still to come.
  func renew() -> Bool { change { $0.renew() } }

  /// Calls `notify`, which hashes this key.
  func announce(_ notify: () -> Void) {
    change { $0.beginAnnouncing() }
    search(notify)
  }

  static func == (a: TrackedKey, b: TrackedKey) -> Bool { a === b }

  func hash(into hasher: inout Hasher) {
    let isAnnouncer = announcer.load(ordering: .relaxed) == ThreadIdentity.current
    if change({ $0.wasHashed(byAnnouncer: isAnnouncer) }) { announceLater() }
    hasher.combine(ObjectIdentifier(self))
  }

  /// Announces the change of the key once more, to closures that were registered after the announcement before. The
  /// announcement is made later, from a dispatch queue, since the registrar of Observation holds its lock while it
  /// hashes the key. It may be needless, or too early for the closure. Then it reaches no closure, which does no harm.
  ///
  /// It is delayed. Otherwise it could notify an observation before `withObservationTracking` returns; the library then
  /// calls the observation, but does not remove it.
  ///
  /// It begins after the announcement in progress. Closures stay registered until they have been notified, so two
  /// announcements at one time would notify them twice. A closure that tracks again when it is notified would then be
  /// registered twice.
  private func announceLater() {
    let queue = home.isMain ? DispatchQueue.main : DispatchQueue.global(qos: .userInitiated)
    queue.asyncAfter(deadline: .now() + .milliseconds(1)) {
      if !self.change({ $0.beginAnnouncingAgain() }) { return self.announceLater() }
      self.search { self.home.publisher?.notify(of: self) }
    }
  }

  /// Calls `notify`, and ends the announcement that has begun.
  private func search(_ notify: () -> Void) {
    announcer.store(ThreadIdentity.current, ordering: .relaxed)
    notify()
    announcer.store(0, ordering: .relaxed)
    change { $0.endAnnouncing() }
  }

  /// Applies an event to the state.
  @discardableResult
  private func change<Result>(_ event: (inout TrackedKeyState) -> Result) -> Result {
    var old = state.load(ordering: .sequentiallyConsistent)
    while true {
      var new = old
      let result = event(&new)
      // Most hashes change nothing.
      if new == old { return result }
      let (isExchanged, present) = state.compareExchange(
        expected: old,
        desired: new,
        ordering: .sequentiallyConsistent
      )
      if isExchanged { return result }
      old = present
    }
  }

  /// Links the tracked keys to their publisher. The publisher retains the keys, but the keys do not retain the
  /// publisher: tracked closures retain the keys, and must not retain the publisher.
  ///
  /// `@unchecked Sendable`, because of the weak reference:
  /// - Invariant: the reference is written once, before another thread sees this object.
  /// - If violated: a data race.
  final class Home: @unchecked Sendable {
    fileprivate weak var publisher: StatePublisher?
    fileprivate let isMain: Bool
    /// The number of living `TrackedKey` objects of the publisher, including those that only tracked closures retain.
    let livingCount = Atomic<Int>(0)

    init(isMain: Bool) { self.isMain = isMain }

    func set(_ publisher: StatePublisher) { self.publisher = publisher }
  }
}
