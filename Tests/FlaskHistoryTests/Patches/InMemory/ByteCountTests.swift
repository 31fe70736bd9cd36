import Foundation
import Testing

@testable import FlaskHistory

@Suite struct ByteCountTests {
  @Test func `a short text lies in its value, a longer one elsewhere`() {
    for (length, elsewhere) in [(0, 0), (15, 0), (16, 48), (100, 132)] {
      let text = String(repeating: "x", count: length)
      #expect(ByteCount.of(text) == 16 + elsewhere)
      #expect(ByteCount.of(Optional(text)) == 16 + elsewhere)
    }
  }

  @Test func `collections count their elements`() {
    #expect(ByteCount.of([Int]()) == 8)
    #expect(ByteCount.of([1, 2, 3]) == 8 + 32 + 24)
    #expect(ByteCount.of(["a", String(repeating: "x", count: 20)]) == 8 + 32 + 16 + 16 + 52)
    #expect(ByteCount.of(Set([1])) == 8 + 48 + 8)
    #expect(ByteCount.of(Set<Int>()) == 8)
    #expect(ByteCount.of(Data(count: 100)) == MemoryLayout<Data>.size + 100)
  }
}
