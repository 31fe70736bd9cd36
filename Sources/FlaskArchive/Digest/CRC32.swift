/// The checksum of the archive format: CRC-32 as in zlib and PNG (polynomial `EDB88320`, reflected).
///
/// It finds every flipped bit and every damaged run of up to 32 bits.
package struct CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? (value >> 1) ^ 0xEDB8_8320 : value >> 1
    }
  }

  private var state: UInt32 = 0xFFFF_FFFF

  /// The checksum of no bytes yet.
  package init() {}

  /// The checksum of all bytes so far.
  package var value: UInt32 { ~state }

  /// Takes more bytes in.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    state = Self.table.withUnsafeBufferPointer { table in
      bytes.reduce(state) { $0 >> 8 ^ table[Int(truncatingIfNeeded: ($0 ^ UInt32($1)) & 0xFF)] }
    }
  }
}
