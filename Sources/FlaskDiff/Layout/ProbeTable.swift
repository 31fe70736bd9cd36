/// Finds a number by a key, in an open-addressing hash table: if several keys have one slot, each later key takes the
/// next free slot.
///
/// Complexity: O(1), expected.
struct ProbeTable<Key>: @unchecked Sendable {
  // `@unchecked Sendable`, because of the pointer:
  // - Ownership: never freed, since a layout is kept for the life of the process.
  // - Invariant: `init` writes all memory, which is then only read.
  // - If violated: a data race.
  private let slots: UnsafeMutablePointer<(key: Key, number: Int)?>
  private let mask: Int

  /// - Parameter keys: the keys in ascending order of their numbers. If two are equal, the first is found.
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

  /// Returns the number of the key for which `isKey` returns true; -1 if no such key exists.
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
