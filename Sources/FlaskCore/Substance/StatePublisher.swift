internal import Dispatch
internal import FlaskPrimitives
internal import Observation
internal import Synchronization

/// Notifies Observation (SwiftUI, `withObservationTracking`, `Observations`) of the keys of a state that have changed.
///
/// A tracked closure that has read a key is notified of the next commit that changed this key, or a key below or above
/// it. It is notified after the commit was published, on the publishing thread or on the main thread. No closure misses
/// a change, whichever thread it reads on; `TrackedKey` explains how. Commits pay nothing while no closure is tracked.
package final class StatePublisher: Observable, Sendable {
  package typealias Announcement = @Sendable () -> Void

  private struct State {
    /// At index `key + 1`, the tracked closures' use of that key; at index 0, their use of the whole state. The array
    /// is empty until a closure is tracked.
    var slots: [TrackedSlot?] = []
    /// The changes that wait to be announced to Observation on the main thread.
    var waiting: [TrackedChange] = []
    /// Further closures to call on the main thread after changes. The array is replaced as a whole, since other threads
    /// read it outside of the lock.
    var announcements: [Announcement] = []
    var attachments: [any AnyObject & Sendable] = []
    var isScheduled = false
  }

  /// The bits of the tracked keys: one for each of the first 62 keys, one for all further keys, one for the whole
  /// state.
  private enum Mask {
    static var others: UInt64 { 1 << 62 }
    static var whole: UInt64 { 1 << 63 }
    static var own: UInt64 { others - 1 }
  }

  /// The registrar of Observation that all reads use until a tracked closure is found. It only serves to find one.
  private let probing = ObservationRegistrar()
  private let home: TrackedKey.Home
  private let keyCount: Int
  /// The number of keys that have a bit of their own in the mask of tracked keys.
  private let ownCount: Int
  package let isNotifiedOnMain: Bool
  private let setNotice: @Sendable (Bool) -> Void
  private let mayBeTracked = Atomic<Bool>(false)
  private let tracked = Atomic<UInt64>(0)
  private let state = Lock(State())

  /// - Parameters:
  ///   - keyCount: the number of keys of the state.
  ///   - isNotifiedOnMain: whether tracked closures are notified on the main thread. If the publishing thread is the
  ///     main thread, they are notified at once. Otherwise they are notified soon, once for several changes.
  ///   - setNotice: called under a lock whenever the publisher starts or stops to need notices of changes.
  package init(
    keyCount: Int,
    isNotifiedOnMain: Bool,
    setNotice: @escaping @Sendable (Bool) -> Void
  ) {
    self.keyCount = keyCount
    ownCount = min(keyCount, 62)
    self.isNotifiedOnMain = isNotifiedOnMain
    self.setNotice = setNotice
    home = TrackedKey.Home(isMain: isNotifiedOnMain)
    home.set(self)
  }

  private subscript(_ tracked: TrackedKey) -> Int { tracked.number }
  private subscript(_ probe: Probe) -> Int { 0 }

  // MARK: Reading

  /// Whether Observation tracks the reads of the running code, as in the closure of `withObservationTracking`.
  package var isTracking: Bool { Probe.isTracking { probing.access(self, keyPath: $0) } }

  /// `true` if no tracked closure refers to a key any more: all tracked closures have been notified, or have ended.
  ///
  /// A closure in progress may retain a `TrackedKey` that no slot contains any more. It counts too, since it must be
  /// announced when the closure has returned.
  package var isUnreferenced: Bool {
    state.withLock { state in
      var count = 0
      for index in state.slots.indices where state.slots[index] != nil {
        guard let found = state.slots[index]?.countIfUnreferenced() else { return false }
        count += found
      }
      return home.livingCount.load(ordering: .relaxed) == count
    }
  }

  /// Records the read of a key; -1 stands for the whole state. Call before the read: a commit that is published after
  /// the call finds the tracked closure, and the read sees any earlier commit.
  package func noteAccess(to key: Int) {
    if !mayBeTracked.load(ordering: .relaxed) {
      guard isTracking else { return }
      mayBeTracked.store(true, ordering: .relaxed)
    }
    state.withLockReleasing { state in
      if state.slots.isEmpty { state.slots = Array(repeating: nil, count: keyCount + 1) }
      return noteAccess(to: key, in: &state.slots[key + 1])
    }
  }

  /// Records the read of a key. Called under the lock, so this function calls no client code. While a closure is
  /// tracked, Observation calls `TrackedKey.hash(into:)` under the lock. `setNotice` may also be called.
  ///
  /// - Returns: an object that the caller must release while it holds no lock.
  private func noteAccess(to key: Int, in slot: inout TrackedSlot?) -> TrackedGeneration? {
    if slot == nil { slot = TrackedSlot(makeGeneration(key)) }
    let replaced = slot?.refresh { makeGeneration(key) }
    if slot?.access(by: self) ?? false {
      let bit = key < 0 ? Mask.whole : key < ownCount ? 1 << UInt64(key) : Mask.others
      let before = tracked.load(ordering: .relaxed)
      if before & bit == 0 {
        tracked.store(before | bit, ordering: .sequentiallyConsistent)
        setNotice(true)
      }
    }
    return replaced ?? nil
  }

  private func makeGeneration(_ key: Int) -> TrackedGeneration {
    let key = TrackedKey(key, of: home)
    return TrackedGeneration(key: key, keyPath: \StatePublisher[key])
  }

  // MARK: Changes

  /// Announces a commit, after it has been published.
  ///
  /// - Parameters:
  ///   - firstKeys: the changed keys among the first 64, as bits. The first 62 of them are used.
  ///   - isAny: whether any key has changed.
  ///   - isChanged: whether a key has changed; called for keys beyond the first 62.
  package func stateDidChange(firstKeys: UInt64, isAny: Bool, isChanged: (Int) -> Bool) {
    let mask = tracked.load(ordering: .sequentiallyConsistent)
    let touched = mask & (firstKeys & Mask.own | (isAny ? Mask.whole : 0) | Mask.others)
    if touched == 0 && !isNotifiedOnMain { return }
    var others: [Int] = []
    if touched & Mask.others != 0 {
      others = (ownCount..<keyCount).filter(isChanged)
    }
    var changes: [TrackedChange] = []
    let announcements = state.withLock { state -> [Announcement] in
      expire(touched, others, in: &state, adding: &changes)
      return isAny ? state.announcements : []
    }
    if changes.isEmpty && announcements.isEmpty { return }
    if !isNotifiedOnMain || MainThread.isCurrent {
      for change in changes { announce(change) }
      for announcement in announcements { announcement() }
      return
    }
    announceOnMain(changes)
  }

  /// Marks the `TrackedKey` objects of all changed keys as stale if a closure tracks them. Adds these objects to
  /// `changes`, to be announced. Called under the lock. `touched` has the bits of the changed keys that are tracked
  /// (see `Mask`). The bit `Mask.others` is set there even if none of the further keys has changed. `others` has the
  /// indices of the changed keys without a separate bit.
  private func expire(
    _ touched: UInt64,
    _ others: [Int],
    in state: inout State,
    adding changes: inout [TrackedChange]
  ) {
    func expire(_ slot: inout TrackedSlot?) { if let change = slot?.expire() { changes.append(change) } }
    if touched & Mask.whole != 0 { expire(&state.slots[0]) }
    var keys = touched & Mask.own
    while keys != 0 {
      expire(&state.slots[keys.trailingZeroBitCount + 1])
      keys &= keys - 1
    }
    for key in others { expire(&state.slots[key + 1]) }
    var left = tracked.load(ordering: .relaxed) & ~(touched & ~Mask.others)
    if touched & Mask.others != 0 && !others.isEmpty {
      let areOthersTracked = state.slots.dropFirst(ownCount + 1).contains { $0?.isTracked ?? false }
      if !areOthersTracked { left &= ~Mask.others }
    }
    tracked.store(left, ordering: .relaxed)
    if left == 0 && state.announcements.isEmpty { setNotice(false) }
  }

  private func announce(_ change: TrackedChange) {
    change.generation.key.announce { notify(of: change) }
  }

  private func notify(of change: TrackedChange) {
    change.registrar.registrar.withMutation(of: self, keyPath: change.generation.keyPath) {}
  }

  /// Notifies the closures that track a key which has changed.
  func notify(of key: TrackedKey) {
    guard let registrar = state.withLock({ $0.slots[key.number + 1]?.registrar }) else { return }
    let generation = TrackedGeneration(key: key, keyPath: \StatePublisher[key])
    notify(of: TrackedChange(generation: generation, registrar: registrar))
  }

  private func announceOnMain(_ changes: [TrackedChange]) {
    let mustSchedule = state.withLock { state in
      defer { state.isScheduled = true }
      state.waiting += changes
      return !state.isScheduled
    }
    if mustSchedule { DispatchQueue.main.async { self.announceWaiting() } }
  }

  private func announceWaiting() {
    let (changes, announcements) = state.withLock { state in
      defer { state.waiting = [] }
      state.isScheduled = false
      return (state.waiting, state.announcements)
    }
    for change in changes { announce(change) }
    for announcement in announcements { announcement() }
  }

  // MARK: Other closures to notify

  /// Adds a closure that is called on the main thread after changes. Call it only if tracked closures are notified on
  /// the main thread.
  package func add(_ announcement: @escaping Announcement) {
    state.withLock {
      $0.announcements = $0.announcements + [announcement]
      setNotice(true)
    }
  }

  /// Returns the object of type `Object` that is attached to this publisher. If there is none, attaches the object that
  /// `make` returns.
  package func attachment<Object: AnyObject & Sendable>(_ make: () -> Object) -> (object: Object, isNew: Bool)
  {
    let new = make()
    return state.withLock { state in
      for case let old as Object in state.attachments { return (old, false) }
      state.attachments.append(new)
      return (new, true)
    }
  }
}

/// Detects whether Observation tracks the running code. Publishers that no closure has tracked yet use it, so that
/// plain reads allocate nothing.
private struct Probe: Hashable, Sendable {
  /// A slot for each thread. It is filled when the thread hashes a probe, which shows that Observation tracks the
  /// running code.
  private static let slot = ThreadSlot<KeyRegistrar>()
  private static let mark = KeyRegistrar()
  // Invariant: constant, and made of a `Sendable` value.
  private nonisolated(unsafe) static let keyPath = StatePublisher.probeKeyPath

  static func isTracking(_ access: (KeyPath<StatePublisher, Int>) -> Void) -> Bool {
    // A registration hashes, too.
    if slot.object != nil { slot.object = nil }
    access(keyPath)
    return slot.object != nil
  }

  static func == (a: Probe, b: Probe) -> Bool { true }

  func hash(into hasher: inout Hasher) { Probe.slot.object = UnretainedReference(Probe.mark) }
}

extension StatePublisher {
  fileprivate static var probeKeyPath: KeyPath<StatePublisher, Int> { \StatePublisher[Probe()] }
}
