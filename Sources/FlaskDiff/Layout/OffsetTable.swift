/// Finds the number of the key that lies at an offset and is of a type, as a key path of stored properties tells them.
///
/// Complexity: O(1), expected. A struct and its first property have the same offset: their types tell them apart.
struct OffsetTable: @unchecked Sendable {
  // Unsafe: all memory is written in `init`, then only read, and never freed, since a layout is kept for the life of
  // the process.
  private struct Slot {
    let offset: Int
    let type: Any.Type
    /// The number of the key; -1 where there is none.
    let key: Int
  }

  private let slots: UnsafeMutablePointer<Slot>
  private let mask: Int

  init(_ keys: [LayoutKey]) {
    var capacity = 4
    while capacity < keys.count * 2 { capacity *= 2 }
    mask = capacity - 1
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: Slot(offset: 0, type: Never.self, key: -1), count: capacity)
    // In ascending order: of two keys without a size, which nothing tells apart, the first one is found.
    for (index, key) in keys.enumerated() where !key.isWrapped {
      var slot = Self.slot(key.offset) & mask
      while slots[slot].key >= 0 { slot = (slot + 1) & mask }
      slots[slot] = Slot(offset: key.offset, type: key.record.type, key: index)
    }
  }

  /// The number of the key; -1 if there is none.
  @inline(__always)
  func key(offset: Int, type: Any.Type) -> Int {
    var slot = Self.slot(offset) & mask
    while slots[slot].key >= 0 {
      if slots[slot].offset == offset && slots[slot].type == type { return slots[slot].key }
      slot = (slot + 1) & mask
    }
    return -1
  }

  /// Most properties take eight bytes or a multiple of that.
  @inline(__always)
  private static func slot(_ offset: Int) -> Int { offset ^ offset >> 3 }
}
