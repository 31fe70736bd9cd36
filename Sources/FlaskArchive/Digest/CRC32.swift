/// The checksum of the archive format: CRC-32 as in zlib and PNG (polynomial `EDB88320`, reflected).
///
/// The checksum finds every flipped bit and every damaged run of up to 32 bits.
package struct CRC32 {
  /// The effect of a byte on the checksum, for each of eight distances from the end. With this table eight bytes are
  /// processed at a time ("slicing by 8", as in zlib).
  private static let table: [UInt32] = {
    var table: [UInt32] = []
    for index in 0..<2_048 {
      var value = index < 256 ? UInt32(index) : table[index - 256]
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
      table.append(value)
    }
    return table
  }()

  private var state: UInt32 = 0xFFFF_FFFF

  /// The checksum of no bytes yet.
  package init() {}

  /// The checksum of all bytes appended before.
  package var value: UInt32 { ~state }

  /// Appends bytes to the input of the checksum.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    state = Self.table.withUnsafeBufferPointer { table in
      var state = state
      var offset = 0
      while offset + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian ^ UInt64(state)
        state = 0
        for place in 0..<8 { state ^= table[(7 - place) * 256 + Int(word >> UInt64(8 * place) & 0xFF)] }
        offset += 8
      }
      for byte in bytes[offset...] { state = state >> 8 ^ table[Int((state ^ UInt32(byte)) & 0xFF)] }
      return state
    }
  }
}
