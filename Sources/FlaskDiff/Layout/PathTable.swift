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
      var hash = Self.seed
      for byte in path.utf8 {
        (bytes + end).initialize(to: byte)
        end += 1
        hash = Self.hash(hash, byte)
      }
      (starts + index + 1).initialize(to: end)
      var slot = Self.slot(hash, mask)
      while slots[slot] >= 0 { slot = (slot + 1) & mask }
      slots[slot] = Int32(truncatingIfNeeded: index)
    }
  }

  /// The number of a path.
  func index(of path: String) -> Int? {
    if let found = path.utf8.withContiguousStorageIfAvailable({ find($0, hash: hash($0)) }) { return found }
    var copy = path
    return copy.withUTF8 { find($0, hash: hash($0)) }
  }

  /// The longest beginning of a path, cut at a dot, that has a number, and where it ends.
  func longestPrefix(of path: String) -> (index: Int, end: Int)? {
    var copy = path
    return copy.withUTF8 { utf8 in
      var hash = Self.seed
      var found: (index: Int, end: Int)?
      for (offset, byte) in utf8.enumerated() {
        if byte == UInt8(ascii: "."),
          let index = find(UnsafeBufferPointer(rebasing: utf8[..<offset]), hash: hash)
        {
          found = (index, offset)
        }
        hash = Self.hash(hash, byte)
      }
      return found
    }
  }

  private static var seed: UInt64 { 0xcbf2_9ce4_8422_2325 }

  @inline(__always)
  private static func hash(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  @inline(__always)
  private static func slot(_ hash: UInt64, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: hash ^ (hash >> 32)) & mask
  }

  @inline(__always)
  private func hash(_ utf8: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash = Self.seed
    for byte in utf8 { hash = Self.hash(hash, byte) }
    return hash
  }

  @inline(__always)
  private func find(_ utf8: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int? {
    var slot = Self.slot(hash, mask)
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
