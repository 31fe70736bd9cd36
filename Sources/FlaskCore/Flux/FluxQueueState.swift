/// The decisions of the flux: which operation is next, and which thread performs it. The type uses no threads and no
/// locks, and has no side effects.
///
/// There are three lanes. The *main lane* holds operations in the order of their submission and is suspended while any
/// lock is held. The *exclusive lane* holds operations that brought a lock with them. It precedes the main lane, and is
/// suspended only while a replay holds the flux. The *replay lane* holds the operations of a replay. It precedes all
/// other lanes and is never suspended. At most one operation, of any lane, is in progress (`isBusy`).
package struct FluxQueueState<Operation, LockID: Hashable> {
  private(set) var isBusy = false
  /// The held locks. The ascending number of each lock gives their order. A dictionary, so that even one of very many
  /// locks is released in O(1).
  private var held: [LockID: Int] = [:]
  private var lockCount = 0
  /// The locks of replays. They suspend not only operations that came without a lock, but also operations that brought
  /// a lock with them.
  private var replayLocks: Set<LockID> = []
  private var main = FIFOQueue<Operation>()
  private var exclusive = FIFOQueue<Operation>()
  private var replays = FIFOQueue<Operation>()
  /// Called with each operation that leaves its lane. Returns `false` for a withdrawn operation, which is skipped.
  private let begins: (Operation) -> Bool
  private let isWithdrawn: (Operation) -> Bool
  /// The number of operations in the lanes that were withdrawn.
  private var withdrawnCount = 0

  /// - Parameters:
  ///   - begins: called once with each operation that leaves the queue. Returns `false` if it was withdrawn.
  ///   - isWithdrawn: whether a queued operation was withdrawn.
  init(
    begins: @escaping (Operation) -> Bool = { _ in true },
    isWithdrawn: @escaping (Operation) -> Bool = { _ in false }
  ) {
    self.begins = begins
    self.isWithdrawn = isWithdrawn
  }

  /// The locks that are held, oldest first. Complexity: O(n log n).
  var locks: [LockID] { Array(held).ordered { $0.value }.map(\.key) }

  /// The locks that satisfy a condition. While `isIt` checks a lock, the queue has no other reference to it, so that
  /// `isIt` can find out whether it is uniquely referenced.
  mutating func locks(where isIt: (inout LockID) -> Bool) -> [LockID] {
    var entries = held.map { (lock: $0.key, number: $0.value) }
    held = [:]
    var found: [LockID] = []
    for index in entries.indices where isIt(&entries[index].lock) { found.append(entries[index].lock) }
    for entry in entries { held[entry.lock] = entry.number }
    return found
  }

  /// The number of queued operations for which `isIt` is true, in all lanes. Complexity: O(n).
  func waitingCount(where isIt: (Operation) -> Bool) -> Int {
    [main, exclusive, replays].map { $0.count { isIt($0) && !isWithdrawn($0) } }.reduce(0, +)
  }

  /// The number of queued operations, in all lanes.
  var waitingCount: Int { main.count + exclusive.count + replays.count - withdrawnCount }

  /// Whether no operation is in progress or queued and no lock is held.
  var isIdle: Bool { !isBusy && held.isEmpty && main.isEmpty && exclusive.isEmpty && replays.isEmpty }

  /// Begins an operation that came without a lock, if the caller can perform it at once.
  ///
  /// - Returns: whether the operation began. The queue is busy from this point.
  @inline(__always)
  package mutating func beginAtOnce() -> Bool {
    guard !isBusy, held.isEmpty, main.isEmpty else { return false }
    isBusy = true
    return true
  }

  /// Begins an operation that the caller performs at once, even if locks are held or operations are queued.
  ///
  /// - Returns: `false` if an operation is in progress. The queue is busy from this point.
  mutating func beginBetweenOperations() -> Bool {
    if isBusy { return false }
    isBusy = true
    return true
  }

  /// Queues an operation in the main lane, which is that of operations without a lock of their own. Precondition: the
  /// queue is busy or locked, or other operations are queued.
  package mutating func enqueue(_ operation: Operation) { main.append(operation) }

  /// Takes `lock`, and decides when the operation that came with it is performed.
  ///
  /// - Returns: `true` if the caller must perform the operation at once; the queue is busy from now on. `false` if the
  ///   operation is queued. It precedes all queued operations that came without a lock.
  mutating func lock(_ lock: LockID, with operation: Operation) -> Bool {
    self.lock(lock)
    if isBusy || !replayLocks.isEmpty {
      exclusive.append(operation)
      return false
    }
    isBusy = true
    return true
  }

  /// Holds `lock`: from this point operations that came without a lock wait. An operation in progress is not
  /// interrupted.
  mutating func lock(_ lock: LockID) {
    lockCount += 1
    held[lock] = lockCount
  }

  /// Releases `lock`.
  ///
  /// - Returns: the operation that the caller must perform now; `nil` if it must perform none.
  mutating func unlock(_ lock: LockID) -> Operation? {
    if held.removeValue(forKey: lock) == nil { return nil }
    replayLocks.remove(lock)
    guard !isBusy, let next = popNext() else { return nil }
    isBusy = true
    return next
  }

  /// Ends the operation in progress.
  ///
  /// - Returns: the operation that the caller must perform next; `nil` if the caller must perform none.
  @inline(__always)
  mutating func finish() -> Operation? {
    // Most often nothing waits (fast path).
    if main.isEmpty && exclusive.isEmpty && replays.isEmpty {
      isBusy = false
      return nil
    }
    let next = popNext()
    isBusy = next != nil
    return next
  }

  /// Removes and returns the next operation that no held lock suspends; `nil` if there is none.
  private mutating func popNext() -> Operation? {
    if let next = pop(\.replays) { return next }
    if replayLocks.isEmpty, let next = pop(\.exclusive) { return next }
    return held.isEmpty ? pop(\.main) : nil
  }

  /// Removes and returns the first operation of a lane that was not withdrawn.
  private mutating func pop(_ lane: WritableKeyPath<Self, FIFOQueue<Operation>>) -> Operation? {
    while let next = self[keyPath: lane].popFirst() {
      if begins(next) { return next }
      withdrawnCount -= 1
    }
    return nil
  }

  /// Counts an operation that was withdrawn while it was queued. It is removed later, together with others.
  /// Complexity: O(1), amortised.
  mutating func didWithdraw() {
    withdrawnCount += 1
    if withdrawnCount < 64 || withdrawnCount < waitingCount { return }
    for lane in [\Self.exclusive, \Self.main, \Self.replays] {
      var kept = FIFOQueue<Operation>()
      while let operation = self[keyPath: lane].popFirst() {
        if !isWithdrawn(operation) { kept.append(operation) }
      }
      self[keyPath: lane] = kept
    }
    withdrawnCount = 0
  }

  /// Drops every queued operation for which `isIt` is true, except those of a replay.
  ///
  /// - Returns: the dropped operations in the order in which they would have been performed.
  mutating func purge(where isIt: (Operation) -> Bool = { _ in true }) -> [Operation] {
    var dropped: [Operation] = []
    for lane in [\Self.exclusive, \Self.main] {
      var kept = FIFOQueue<Operation>()
      while let operation = self[keyPath: lane].popFirst() {
        if !isIt(operation) {
          kept.append(operation)
        } else if begins(operation) {
          dropped.append(operation)
        } else {
          withdrawnCount -= 1
        }
      }
      self[keyPath: lane] = kept
    }
    return dropped
  }

  /// Drops the first queued operation for which `isIt` is true, except those of a replay, and returns it.
  mutating func removeFirst(where isIt: (Operation) -> Bool) -> Operation? {
    func isWanted(_ operation: Operation) -> Bool { !isWithdrawn(operation) && isIt(operation) }
    let found = exclusive.removeFirst(where: isWanted) ?? main.removeFirst(where: isWanted)
    if let found { _ = begins(found) }
    return found
  }

  // MARK: Replays

  /// Holds `lock` for a replay: from this point only operations that are passed to `enter(_:)` begin. The replay can
  /// begin any other operation by `beginFirstWaiting()`.
  mutating func lockForReplay(_ lock: LockID) {
    self.lock(lock)
    replayLocks.insert(lock)
  }

  /// Decides when an operation of a replay is performed: before all operations that are not part of a replay, even if
  /// locks are held.
  ///
  /// - Returns: `true` if the caller must perform the operation at once; the queue is busy from now on. `false` if the
  ///   operation is queued.
  mutating func enter(_ operation: Operation) -> Bool {
    guard isBusy else {
      isBusy = true
      return true
    }
    replays.append(operation)
    return false
  }

  /// The queued operation that would be next if no lock were held. Operations of a replay are not considered.
  package var firstWaiting: Operation? {
    exclusive.first { !isWithdrawn($0) } ?? main.first { !isWithdrawn($0) }
  }

  /// Removes and returns the queued operation that would be next if no lock were held. The flux is busy with it from
  /// this point. The result is `nil` if no operation is queued, or if another operation is in progress.
  package mutating func beginFirstWaiting() -> Operation? {
    guard !isBusy, let next = pop(\.exclusive) ?? pop(\.main) else { return nil }
    isBusy = true
    return next
  }
}
