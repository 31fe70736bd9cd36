import Testing

@testable import FlaskInsight

@Suite struct ShortListTests {
  @Test func `it holds the elements of the last array, however many there are and were`() {
    var list = ShortList<Int>()
    #expect(list.isEmpty)
    for count in [1, 0, 3, 1, 2, 5, 0, 1] {
      let elements = (0..<count).map { $0 * 10 + count }
      list.replaceAll(by: elements)
      #expect(list.count == count)
      #expect(list.isEmpty == (count == 0))
      #expect(Array(list) == elements)
    }
  }

  @Test func `what it held is released when it takes over others`() {
    final class Held {}
    var list = ShortList<Held>()
    weak var first: Held?
    weak var second: Held?
    do {
      let held = [Held(), Held()]
      (first, second) = (held[0], held[1])
      list.replaceAll(by: held)
    }
    #expect(first != nil)
    #expect(second != nil)
    list.replaceAll(by: [])
    #expect(first == nil)
    #expect(second == nil)
  }
}
