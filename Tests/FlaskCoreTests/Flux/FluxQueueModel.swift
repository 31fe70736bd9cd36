/// The flux queue as one would explain it: two lists, a list of locks, and whether something is in progress.
struct FluxQueueModel {
  var isBusy = false
  var locks: [Int] = []
  var main: [Int] = []
  var exclusive: [Int] = []

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
    if isBusy {
      exclusive.append(operation)
      return false
    }
    isBusy = true
    return true
  }

  mutating func unlock(_ lock: Int) -> Int? {
    if !locks.contains(lock) { return nil }
    locks.removeAll { $0 == lock }
    return next()
  }

  mutating func finish() -> Int? {
    isBusy = false
    if !exclusive.isEmpty {
      isBusy = true
      return exclusive.removeFirst()
    }
    return next()
  }

  mutating func purge() -> [Int] {
    let dropped = exclusive + main
    exclusive = []
    main = []
    return dropped
  }

  mutating func next() -> Int? {
    if isBusy || !locks.isEmpty || main.isEmpty { return nil }
    isBusy = true
    return main.removeFirst()
  }
}
