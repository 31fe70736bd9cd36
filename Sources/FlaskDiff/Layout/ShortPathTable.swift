/// Finds the index of the key with a short path by the bits of its string. This is a fast path: no bytes are hashed or
/// compared one by one.
///
/// In most cases, a string of at most 15 UTF-8 bytes is stored in the two words of the `String` itself. A bit of the
/// second word shows this. Two such strings with the same bits are equal. A path that is not found here may still
/// exist. It may be longer, stored outside of the string's words, or equal with different bytes. Complexity: O(1),
/// expected.
struct ShortPathTable: Sendable {
  /// The two words of a `String`.
  private struct Bits: Equatable {
    let first: UInt64
    let second: UInt64

    /// Returns the two words of a string. Must be called only if a `String` takes two words. Any bits are a valid value
    /// of the result, which is only compared.
    @inline(__always)
    init(_ string: String) { self = unsafeBitCast(string, to: Bits.self) }

    /// Whether the two machine words of the `String` contain all of its bytes.
    @inline(__always)
    var isWhole: Bool { second & 0x2000_0000_0000_0000 != 0 }

    @inline(__always)
    var slot: Int { Int(truncatingIfNeeded: ((first ^ second) &* 0x9e37_79b9_7f4a_7c15) >> 40) }
  }

  private let table: ProbeTable<Bits>

  /// Whether a `String` consists of two words that contain the bytes of short strings. This table relies on that;
  /// otherwise it finds nothing.
  static let isUsable: Bool = {
    guard MemoryLayout<String>.size == MemoryLayout<Bits>.size else { return false }
    let short = Bits("short")
    let same = Bits(String("short-".dropLast()))
    let other = Bits("shorT")
    let long = Bits(String(repeating: "long", count: 9))
    return short.isWhole && short == same && short != other && !long.isWhole
      && !Bits("a string of the program").isWhole
  }()

  init(_ paths: [String]) {
    let known = paths.enumerated().map { (key: Bits($1), number: $0) }
    table = ProbeTable(known.filter { Self.isUsable && $0.key.isWhole }) { $0.slot }
  }

  /// Returns the index of the key with a path; -1 if the table does not contain the path.
  @inline(__always)
  func key(of path: String) -> Int {
    guard MemoryLayout<String>.size == MemoryLayout<Bits>.size else { return -1 }
    let bits = Bits(path)
    // All strings in the table are stored in their two words. A string with the same bits is therefore stored in its
    // words too.
    return table.number(hash: bits.slot) { $0 == bits }
  }
}
