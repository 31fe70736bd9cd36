/// Finds the index of the key with a dotted path, without `Hasher` and without allocation.
///
/// Complexity: O(length of the path). For the longest prefix it is multiplied by the number of dots in the path.
struct PathTable: Sendable {
  /// A dotted path as bytes in memory. The memory is never freed, since the table is never freed.
  private struct Path {
    let hash: UInt64
    let codeUnits: UnsafeBufferPointer<UInt8>
  }

  private let table: ProbeTable<Path>

  init(_ paths: [String]) {
    let paths = paths.enumerated().map { number, path in
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: path.utf8.count)
      _ = bytes.initialize(from: path.utf8)
      let codeUnits = UnsafeBufferPointer(bytes)
      return (key: Path(hash: Self.hash(codeUnits), codeUnits: codeUnits), number: number)
    }
    table = ProbeTable(paths) { Self.slot($0.hash) }
  }

  /// The number of a path.
  func index(of path: String) -> Int? {
    if let found = path.utf8.withContiguousStorageIfAvailable({ find($0) }) { return found }
    var copy = path
    return copy.withUTF8 { find($0) }
  }

  /// Finds the longest beginning of a path, up to a dot, that is a key. Returns the index of the key, and the end of
  /// the beginning.
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

  /// Returns the hash of a path. Up to eight bytes are read at a time; the last eight may overlap the eight before. Two
  /// paths of the same length below eight never have the same hash.
  @inline(__always)
  private static func hash(_ utf8: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let bytes = UnsafeRawBufferPointer(utf8)
    let count = bytes.count
    if count < 4 {
      if count == 0 { return 0 }
      return (UInt64(bytes[0]) << 16 | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1])) &* multiplier
    }
    if count < 8 {
      let first = UInt64(bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
      let last = UInt64(bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
      return (first << 32 | last) &* multiplier
    }
    var hash: UInt64 = 0
    var offset = 0
    while offset + 8 < count {
      hash = (hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* multiplier
      hash ^= hash >> 32
      offset += 8
    }
    return (hash ^ bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)) &* multiplier
  }

  /// The factor of the hash function. It is odd, so that different words have different products.
  private static var multiplier: UInt64 { 0x9e37_79b9_7f4a_7c15 }

  @inline(__always)
  private static func slot(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 40) }

  @inline(__always)
  private func find(_ utf8: UnsafeBufferPointer<UInt8>) -> Int? {
    let hash = Self.hash(utf8)
    let number = table.number(hash: Self.slot(hash)) { path in
      path.hash == hash && path.codeUnits.count == utf8.count
        && (utf8.count < 8 || utf8.elementsEqual(path.codeUnits))
    }
    return number < 0 ? nil : number
  }
}
