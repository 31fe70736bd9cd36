/// Finds the number of a dotted path without hashing it the slow way or allocating.
///
/// Complexity: O(length of the path).
struct PathTable: @unchecked Sendable {
  // Unsafe: all memory is written in `init`, then only read, and never freed, since a layout is kept for the life of
  // the process.
  private let slots: UnsafeMutablePointer<Int32>
  private let mask: Int
  private let bytes: UnsafeMutablePointer<UInt8>
  private let starts: UnsafeMutablePointer<Int>

  init(_ paths: [String]) {
    var capacity = 4
    while capacity < paths.count * 2 { capacity *= 2 }
    mask = capacity - 1
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: -1, count: capacity)
    bytes = .allocate(capacity: max(1, paths.reduce(0) { $0 + $1.utf8.count }))
    starts = .allocate(capacity: paths.count + 1)
    var end = 0
    starts.initialize(to: 0)
    for (index, path) in paths.enumerated() {
      let start = bytes + end
      for byte in path.utf8 {
        (bytes + end).initialize(to: byte)
        end += 1
      }
      (starts + index + 1).initialize(to: end)
      var slot = slot(UnsafeBufferPointer(start: start, count: bytes + end - start))
      while slots[slot] >= 0 { slot = (slot + 1) & mask }
      slots[slot] = Int32(truncatingIfNeeded: index)
    }
  }

  /// The number of a path.
  func index(of path: String) -> Int? {
    if let found = path.utf8.withContiguousStorageIfAvailable({ find($0) }) { return found }
    var copy = path
    return copy.withUTF8 { find($0) }
  }

  /// The longest beginning of a path, cut at a dot, that has a number, and where it ends.
  func longestPrefix(of path: String) -> (index: Int, end: Int)? {
    var copy = path
    return copy.withUTF8 { utf8 in
      var found: (index: Int, end: Int)?
      for (offset, byte) in utf8.enumerated() where byte == UInt8(ascii: ".") {
        if let index = find(UnsafeBufferPointer(rebasing: utf8[..<offset])) { found = (index, offset) }
      }
      return found
    }
  }

  /// Where to look first: eight bytes at a time, the last ones overlapping those before.
  @inline(__always)
  private func slot(_ utf8: UnsafeBufferPointer<UInt8>) -> Int {
    let bytes = UnsafeRawBufferPointer(utf8)
    var hash = UInt64(truncatingIfNeeded: utf8.count)
    if utf8.count >= 8 {
      var offset = 0
      while offset + 8 < utf8.count {
        hash = Self.mix(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      hash = Self.mix(hash, bytes.loadUnaligned(fromByteOffset: utf8.count - 8, as: UInt64.self))
    } else {
      var rest: UInt64 = 0
      for byte in utf8 { rest = rest << 8 | UInt64(byte) }
      hash = Self.mix(hash, rest)
    }
    return Int(truncatingIfNeeded: hash ^ (hash >> 32)) & mask
  }

  @inline(__always)
  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
  }

  @inline(__always)
  private func find(_ utf8: UnsafeBufferPointer<UInt8>) -> Int? {
    var slot = slot(utf8)
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      let start = starts[index]
      if starts[index + 1] - start == utf8.count {
        var offset = 0
        while offset < utf8.count, utf8[offset] == bytes[start + offset] { offset += 1 }
        if offset == utf8.count { return index }
      }
      slot = (slot + 1) & mask
    }
    return nil
  }
}
