/// The flux queue as one would explain it: three lists, a list of locks, and whether something is in progress.
struct FluxQueueModel {
  var isBusy = false
  var locks: [Int] = []
  var replayLocks: [Int] = []
  var main: [Int] = []
  var exclusive: [Int] = []
  var replays: [Int] = []

  var waitingCount: Int { main.count + exclusive.count + replays.count }

  mutating func submit(_ operation: Int) -> Bool {
    if isBusy || !locks.isEmpty || !main.isEmpty {
      main.append(operation)
      return false
    }
    isBusy = true
    return true
  }

  mutating func lock(_ lock: Int, with operation: Int) -> Bool {
    locks.append(lock)
    if isBusy || !replayLocks.isEmpty {
      exclusive.append(operation)
      return false
    }
    isBusy = true
    return true
  }

  mutating func unlock(_ lock: Int) -> Int? {
    if !locks.contains(lock) { return nil }
    locks.removeAll { $0 == lock }
    replayLocks.removeAll { $0 == lock }
    return next()
  }

  mutating func finish() -> Int? {
    isBusy = false
    return next()
  }

  mutating func enter(_ operation: Int) -> Bool {
    if isBusy {
      replays.append(operation)
      return false
    }
    isBusy = true
    return true
  }

  mutating func beginFirstWaiting() -> Int? {
    if isBusy || exclusive.isEmpty && main.isEmpty { return nil }
    isBusy = true
    return exclusive.isEmpty ? main.removeFirst() : exclusive.removeFirst()
  }

  mutating func purge() -> [Int] {
    let dropped = exclusive + main
    exclusive = []
    main = []
    return dropped
  }

  mutating func removeFirst(where isIt: (Int) -> Bool) -> Int? {
    if let index = exclusive.firstIndex(where: isIt) { return exclusive.remove(at: index) }
    return main.firstIndex(where: isIt).map { main.remove(at: $0) }
  }

  mutating func next() -> Int? {
    if isBusy { return nil }
    isBusy = true
    if !replays.isEmpty { return replays.removeFirst() }
    if !exclusive.isEmpty && replayLocks.isEmpty { return exclusive.removeFirst() }
    if !main.isEmpty && locks.isEmpty { return main.removeFirst() }
    isBusy = false
    return nil
  }
}
