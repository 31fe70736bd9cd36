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
  private let armed = Atomic<Bool>(false)
  private let stale = Atomic<Bool>(false)
  /// The thread that is announcing the change of this key; 0 if none is. This thread hashes the key in order to find
  /// the tracking closures. So a hash on this thread does not mean a new closure, and schedules no further
  /// announcement.
  private let announcer = Atomic<UInt>(0)
  /// Whether the change was announced.
  private let isAnnounced = Atomic<Bool>(false)
  private let isComingAgain = Atomic<Bool>(false)
  /// The number of repeated announcements of the key (see `comeAgain()`) that are scheduled or in progress.
  private let comingCount = Atomic<Int>(0)

  init(_ number: Int, of home: Home) {
    self.number = number
    self.home = home
    home.livingCount.add(1, ordering: .relaxed)
  }

  deinit { home.livingCount.subtract(1, ordering: .relaxed) }

  /// Whether a tracked closure has read the key, so that Observation must be notified of its change.
  var isArmed: Bool { armed.load(ordering: .relaxed) }

  /// Whether the value of the key has changed since Observation got this object.
  var isStale: Bool { stale.load(ordering: .relaxed) }

  /// Marks the key as changed. Called after the commit was published, and before the tracking closures are notified.
  func expire() { stale.store(true, ordering: .sequentiallyConsistent) }

  /// Resets this object, so that it represents the key until its next change. Returns `false`, and resets nothing, if
  /// an announcement is still scheduled: it would notify without a change. Call it only if no tracked closure refers to
  /// the object any more.
  func renew() -> Bool {
    if comingCount.load(ordering: .sequentiallyConsistent) != 0 { return false }
    armed.store(false, ordering: .relaxed)
    isAnnounced.store(false, ordering: .relaxed)
    stale.store(false, ordering: .sequentiallyConsistent)
    return true
  }

  /// Calls `notify`, which hashes this key.
  func announce(_ notify: () -> Void) {
    announcer.store(ThreadIdentity.current, ordering: .relaxed)
    notify()
    isAnnounced.store(true, ordering: .relaxed)
    announcer.store(0, ordering: .releasing)
  }

  static func == (a: TrackedKey, b: TrackedKey) -> Bool { a === b }

  func hash(into hasher: inout Hasher) {
    if stale.load(ordering: .sequentiallyConsistent) {
      if announcer.load(ordering: .relaxed) != ThreadIdentity.current { comeAgain() }
    } else if !isArmed {
      armed.store(true, ordering: .relaxed)
    }
    hasher.combine(ObjectIdentifier(self))
  }

  /// Schedules another announcement of a key that has changed, since a closure may have been registered after the first
  /// announcement. The announcement is made later, from a dispatch queue, since the registrar of Observation holds its
  /// lock while it hashes the key. The announcement may be needless, or too early for the closure. Then it reaches no
  /// closure, which does no harm.
  ///
  /// The announcement is delayed. Otherwise it could notify an observation before `withObservationTracking` returns;
  /// the library then calls the observation, but does not remove it.
  private func comeAgain() {
    if isComingAgain.exchange(true, ordering: .sequentiallyConsistent) { return }
    comingCount.add(1, ordering: .sequentiallyConsistent)
    announceLater()
  }

  /// Announces the change of the key once more, after the announcement in progress. Closures stay registered until they
  /// have been notified, so two announcements at one time would notify them twice. A closure that tracks again when it
  /// is notified would then be registered twice.
  private func announceLater() {
    let queue = home.isMain ? DispatchQueue.main : DispatchQueue.global(qos: .userInitiated)
    queue.asyncAfter(deadline: .now() + .milliseconds(1)) {
      let me = ThreadIdentity.current
      guard self.isAnnounced.load(ordering: .relaxed),
        self.announcer.compareExchange(expected: 0, desired: me, ordering: .acquiring).exchanged
      else { return self.announceLater() }
      // `isComingAgain` is reset before the announcement searches for tracking closures. So a closure that is
      // registered too late for the search schedules one more announcement.
      self.isComingAgain.store(false, ordering: .sequentiallyConsistent)
      self.home.publisher?.announce(self)
      self.announcer.store(0, ordering: .releasing)
      self.comingCount.subtract(1, ordering: .sequentiallyConsistent)
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
