internal import Dispatch
internal import Synchronization

/// Stands for a key in the key paths that Observation is told of: one generation of it, from one announced change to
/// the next.
///
/// The list of what a tracked closure reads is a set of key paths, and the registrar finds those who track by key path
/// too; each hashes the key path, and so its arguments. By that the publisher learns that somebody tracks: there is no
/// function that says so. It learns, too, that somebody begins to track what has changed since it was read: the library
/// registers what a closure has read after the closure has returned, and a change that is announced in between reaches
/// nobody. Such a key is announced again.
final class TrackedKey: Hashable, Sendable {
  /// The number of the key; -1 for the whole state.
  let number: Int
  private let home: Home
  private let armed = Atomic<Bool>(false)
  private let stale = Atomic<Bool>(false)
  /// The thread that announces it; 0 for none. That thread hashes, too, when it looks for those who track.
  private let announcer = Atomic<UInt>(0)
  /// Whether the change has been announced.
  private let isAnnounced = Atomic<Bool>(false)
  private let isComingAgain = Atomic<Bool>(false)
  /// How often it is going to be announced again, or is being so.
  private let comingCount = Atomic<Int>(0)

  init(_ number: Int, of home: Home) {
    self.number = number
    self.home = home
    home.livingCount.add(1, ordering: .relaxed)
  }

  deinit { home.livingCount.subtract(1, ordering: .relaxed) }

  /// Whether it is in anybody's list of what was read.
  var isArmed: Bool { armed.load(ordering: .relaxed) }

  /// Whether it has changed since it was handed out.
  var isStale: Bool { stale.load(ordering: .relaxed) }

  /// It has changed: comes after the commit was published, and before those who track are told.
  func expire() { stale.store(true, ordering: .sequentiallyConsistent) }

  /// Begins anew, unless it is to be announced again: that would be told without a change. Only if no key path refers
  /// to it but the publisher's own.
  func renew() -> Bool {
    if comingCount.load(ordering: .sequentiallyConsistent) != 0 { return false }
    armed.store(false, ordering: .relaxed)
    isAnnounced.store(false, ordering: .relaxed)
    stale.store(false, ordering: .sequentiallyConsistent)
    return true
  }

  /// Calls `tell`, which hashes this key.
  func announce(_ tell: () -> Void) {
    announcer.store(ThreadIdentity.current, ordering: .relaxed)
    tell()
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

  /// Has the key announced again, elsewhere: the registrar is locked while it registers this one. It may be too early
  /// or needless (a set that grows hashes, too); then nobody is told, and nothing is lost.
  ///
  /// A little later: an observation that is told between its registration and the end of `withObservationTracking` is
  /// told, but the library does not remove it then.
  private func comeAgain() {
    if isComingAgain.exchange(true, ordering: .sequentiallyConsistent) { return }
    comingCount.add(1, ordering: .sequentiallyConsistent)
    announceLater()
  }

  /// Those who are told stay registered until they have been: an announcement beside another one would tell them twice,
  /// and who arms itself again would be armed twice from then on. So it waits for that.
  private func announceLater() {
    let queue = home.isMain ? DispatchQueue.main : DispatchQueue.global(qos: .userInitiated)
    queue.asyncAfter(deadline: .now() + .milliseconds(1)) {
      let me = ThreadIdentity.current
      guard self.isAnnounced.load(ordering: .relaxed),
        self.announcer.compareExchange(expected: 0, desired: me, ordering: .acquiring).exchanged
      else { return self.announceLater() }
      // Before those who track are looked for: who registers later has this scheduled once more.
      self.isComingAgain.store(false, ordering: .sequentiallyConsistent)
      self.home.publisher?.announce(self)
      self.announcer.store(0, ordering: .releasing)
      self.comingCount.subtract(1, ordering: .sequentiallyConsistent)
    }
  }

  /// Where its publisher is, which holds its keys and is not held by them: key paths are held by those who track.
  ///
  /// `@unchecked Sendable` because of the weak reference, which is written once, before anybody else sees this.
  final class Home: @unchecked Sendable {
    fileprivate weak var publisher: StatePublisher?
    fileprivate let isMain: Bool
    /// How many keys there are that have this home, those included that only a tracked closure refers to.
    let livingCount = Atomic<Int>(0)

    init(isMain: Bool) { self.isMain = isMain }

    func set(_ publisher: StatePublisher) { self.publisher = publisher }
  }
}
