/// What the flux decides: which operation is next, and who performs it. No threads, no locks, no side effects.
///
/// There are two lanes. The *main lane* holds operations in the order of their submission and stands still while any
/// lock is held. The *exclusive lane* holds operations that brought a lock with them; it goes first and never
/// stands still. At most one operation is in progress (`isBusy`), whichever lane it came from.
struct FluxQueueState<Operation, LockID: Hashable> {
  private(set) var isBusy = false
  /// The locks that are held, each with a number that grows: so that one among very many is given up at once.
  private var held: [LockID: Int] = [:]
  private var lockCount = 0
  private var main = FIFOQueue<Operation>()
  private var exclusive = FIFOQueue<Operation>()

  /// The locks that are held, oldest first. Complexity: O(n log n).
  var locks: [LockID] { held.sorted { $0.value < $1.value }.map(\.key) }

  /// The locks of which something is so. Each is handed over as the one reference that this has to it.
  mutating func locks(where isIt: (inout LockID) -> Bool) -> [LockID] {
    var entries = held.map { (lock: $0.key, number: $0.value) }
    held = [:]
    var found: [LockID] = []
    for index in entries.indices where isIt(&entries[index].lock) { found.append(entries[index].lock) }
    for entry in entries { held[entry.lock] = entry.number }
    return found
  }

  /// The number of operations that wait, in both lanes.
  var waitingCount: Int { main.count + exclusive.count }

  /// Whether nothing is in progress, nothing waits and no lock is held.
  var isIdle: Bool { !isBusy && held.isEmpty && main.isEmpty && exclusive.isEmpty }

  /// True, and busy from here on, if an operation of the main lane can be performed at once by the caller.
  @inline(__always)
  mutating func beginAtOnce() -> Bool {
    guard !isBusy, held.isEmpty, main.isEmpty else { return false }
    isBusy = true
    return true
  }

  /// Lets an operation wait in the main lane. To be called when `beginAtOnce()` said no.
  mutating func wait(_ operation: Operation) { main.append(operation) }

  /// Holds `lock` and decides about the operation that came with it: true, and busy from here on, if the caller
  /// performs it at once; else it waits in the exclusive lane.
  mutating func lock(_ lock: LockID, with operation: Operation) -> Bool {
    self.lock(lock)
    guard isBusy else {
      isBusy = true
      return true
    }
    exclusive.append(operation)
    return false
  }

  /// Holds `lock`: the main lane stands still from here on; an operation in progress is not disturbed.
  mutating func lock(_ lock: LockID) {
    lockCount += 1
    held[lock] = lockCount
  }

  /// Gives up `lock`, and returns the operation that the caller is to perform now, if any.
  mutating func unlock(_ lock: LockID) -> Operation? {
    if held.removeValue(forKey: lock) == nil { return nil }
    return resume()
  }

  /// Ends the operation in progress, and returns the one that the caller is to perform next; `nil` means idle.
  @inline(__always)
  mutating func finish() -> Operation? {
    if exclusive.isEmpty && (main.isEmpty || !held.isEmpty) {
      isBusy = false
      return nil
    }
    return exclusive.popFirst() ?? main.popFirst()
  }

  /// Drops every operation that waits, and returns them in the order in which they would have been performed.
  mutating func purge() -> [Operation] {
    var dropped: [Operation] = []
    while let operation = exclusive.popFirst() ?? main.popFirst() { dropped.append(operation) }
    return dropped
  }

  /// Drops the first operation of the main lane that waits and of which something is so; returns it.
  mutating func removeFirst(where isIt: (Operation) -> Bool) -> Operation? { main.removeFirst(where: isIt) }

  // MARK: Replays

  /// Lets an operation go before all that wait, although locks are held: true, and busy from here on, if the caller
  /// performs it at once; else it waits in the exclusive lane.
  mutating func enter(_ operation: Operation) -> Bool {
    guard isBusy else {
      isBusy = true
      return true
    }
    exclusive.append(operation)
    return false
  }

  /// The operation of the main lane that comes next.
  var firstWaiting: Operation? { main.first }

  /// Takes the operation of the main lane that comes next, although locks are held: busy from here on. `nil` if there
  /// is none, or another one is in progress.
  mutating func beginFirstWaiting() -> Operation? {
    guard !isBusy, let next = main.popFirst() else { return nil }
    isBusy = true
    return next
  }

  private mutating func resume() -> Operation? {
    guard !isBusy, held.isEmpty, let next = main.popFirst() else { return nil }
    isBusy = true
    return next
  }
}
