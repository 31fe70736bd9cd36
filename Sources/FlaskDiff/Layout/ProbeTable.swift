/// Finds a number by a key, in an open-addressing hash table: of several keys with one slot each takes the next free
/// one.
///
/// Complexity: O(1), expected.
struct ProbeTable<Key>: @unchecked Sendable {
  // `@unchecked Sendable`, because of the pointer:
  // - Ownership: never freed, since a layout is kept for the life of the process.
  // - Invariant: all memory is written by `init`, then only read.
  // - If violated: a data race.
  private let slots: UnsafeMutablePointer<(key: Key, number: Int)?>
  private let mask: Int

  /// - Parameter keys: in ascending order of their numbers: of two equal ones the first is found.
  init(_ keys: [(key: Key, number: Int)], hash: (Key) -> Int) {
    var capacity = 4
    while capacity < keys.count * 2 { capacity *= 2 }
    mask = capacity - 1
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: nil, count: capacity)
    for key in keys {
      var slot = hash(key.key) & mask
      while slots[slot] != nil { slot = (slot + 1) & mask }
      slots[slot] = key
    }
  }

  /// The number of the key that is the one; -1 if there is none.
  @inline(__always)
  func number(hash: Int, where isKey: (borrowing Key) -> Bool) -> Int {
    var slot = hash & mask
    while let found = slots[slot] {
      if isKey(found.key) { return found.number }
      slot = (slot + 1) & mask
    }
    return -1
  }
}
