import Foundation

extension Data {
  /// Appends a number, its most significant byte first.
  mutating func append(bigEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  /// Reads a number, its most significant byte first. The bytes must be there.
  func bigEndian<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
    self[offset..<offset + MemoryLayout<Number>.size].reduce(0) { $0 << 8 | Number($1) }
  }
}
