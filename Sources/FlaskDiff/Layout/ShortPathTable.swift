/// Finds the number of a short path by the bits of its string (fast path): nothing is hashed or compared byte by byte.
///
/// The bytes of a string that has at most 15 of UTF-8 lie in the two words of the `String` itself, most often, and a
/// bit of the second word says so. Two such strings with the same bits are equal. What is not found here may be a path
/// all the same: a longer one, a string that keeps few bytes elsewhere, or one that is equal with other bytes.
/// Complexity: O(1), expected.
struct ShortPathTable: @unchecked Sendable {
  // Unsafe: all memory is written in `init`, then only read, and never freed, since a layout is kept for the life of
  // the process.
  private struct Slot {
    let bits: Bits
    /// The number of the path; -1 where there is none.
    let key: Int
  }

  /// The two words of a `String`.
  private struct Bits: Equatable {
    let first: UInt64
    let second: UInt64

    /// Only where a string takes two words. Any bits are a value of this type, and it is used for comparing only.
    @inline(__always)
    init(_ string: String) { self = unsafeBitCast(string, to: Bits.self) }

    init() { (first, second) = (0, 0) }

    /// Whether the bytes of the string lie in its words.
    @inline(__always)
    var isWhole: Bool { second & 0x2000_0000_0000_0000 != 0 }

    @inline(__always)
    var slot: Int { Int(truncatingIfNeeded: ((first ^ second) &* 0x9e37_79b9_7f4a_7c15) >> 40) }
  }

  private let slots: UnsafeMutablePointer<Slot>
  private let mask: Int

  /// Whether strings are stored here as this table takes it: otherwise it finds nothing.
  static let isUsable: Bool = {
    guard MemoryLayout<String>.size == MemoryLayout<Bits>.size else { return false }
    let (short, same, other) = (Bits("short"), Bits(String("short-".dropLast())), Bits("shorT"))
    let long = Bits(String(repeating: "long", count: 9))
    return short.isWhole && short == same && short != other && !long.isWhole
      && !Bits("a string of the program").isWhole
  }()

  init(_ paths: [String]) {
    let paths = Self.isUsable ? paths : []
    var capacity = 4
    while capacity < paths.count * 2 { capacity *= 2 }
    mask = capacity - 1
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: Slot(bits: Bits(), key: -1), count: capacity)
    for (key, path) in paths.enumerated() {
      let bits = Bits(path)
      if !bits.isWhole { continue }
      var slot = bits.slot & mask
      while slots[slot].key >= 0 { slot = (slot + 1) & mask }
      slots[slot] = Slot(bits: bits, key: key)
    }
  }

  /// The number of a path; -1 if it is not found.
  @inline(__always)
  func key(of path: String) -> Int {
    guard MemoryLayout<String>.size == MemoryLayout<Bits>.size else { return -1 }
    let bits = Bits(path)
    // What is in the table is whole: so is what equals it.
    var slot = bits.slot & mask
    while slots[slot].key >= 0 {
      if slots[slot].bits == bits { return slots[slot].key }
      slot = (slot + 1) & mask
    }
    return -1
  }
}
