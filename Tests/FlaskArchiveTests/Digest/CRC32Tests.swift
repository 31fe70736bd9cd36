import Testing

@testable import FlaskArchive

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

  private func checksum(_ pieces: [String]) -> UInt32 {
    var sum = CRC32()
    for piece in pieces { Array(piece.utf8).withUnsafeBytes { sum.update($0) } }
    return sum.value
  }
}
