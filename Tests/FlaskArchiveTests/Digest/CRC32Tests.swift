import Testing

@_spi(Checks) @testable import FlaskArchive

@Suite struct CRC32Tests {
  @Test func `The check value of the specification comes out`() {
    #expect(checksum(["123456789"]) == 0xCBF4_3926)
  }

  @Test func `Nothing has the checksum zero`() {
    #expect(checksum([]) == 0)
  }

  @Test func `Bytes may come in pieces`() {
    #expect(checksum(["1234", "", "56789"]) == 0xCBF4_3926)
  }

  @Test func `Any number of bytes gives what its bits give one by one, wherever it is cut`() {
    let bytes = (0..<67).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    for count in 0...67 {
      var expected: UInt32 = 0xFFFF_FFFF
      for byte in bytes[..<count] {
        expected ^= UInt32(byte)
        for _ in 0..<8 { expected = expected & 1 == 1 ? expected >> 1 ^ 0xEDB8_8320 : expected >> 1 }
      }
      for cut in 0...count {
        var sum = CRC32()
        bytes[..<cut].withUnsafeBytes { sum.update($0) }
        bytes[cut..<count].withUnsafeBytes { sum.update($0) }
        #expect(sum.value == ~expected, "\(cut) of \(count)")
      }
    }
  }

  private func checksum(_ pieces: [String]) -> UInt32 {
    var sum = CRC32()
    for piece in pieces { Array(piece.utf8).withUnsafeBytes { sum.update($0) } }
    return sum.value
  }
}
