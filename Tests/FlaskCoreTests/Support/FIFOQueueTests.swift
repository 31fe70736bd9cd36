import Testing

@testable import FlaskCore

@Suite struct FIFOQueueTests {
  @Test func `elements come out in the order in which they went in`() {
    var queue = FIFOQueue<Int>()
    for number in 0..<1000 { queue.append(number) }
    var out: [Int] = []
    while let number = queue.popFirst() { out.append(number) }
    #expect(out == Array(0..<1000))
    #expect(queue.isEmpty)
  }

  @Test func `appending between removals keeps order and count`() {
    var queue = FIFOQueue<Int>()
    var next = 0
    var expected = 0
    for round in 0..<300 {
      for _ in 0...(round % 3) {
        queue.append(next)
        next += 1
      }
      #expect(queue.popFirst() == expected)
      expected += 1
      #expect(queue.count == next - expected)
    }
  }

  @Test func `an empty queue gives nothing, again and again`() {
    var queue = FIFOQueue<Int>()
    #expect(queue.popFirst() == nil)
    queue.append(1)
    #expect(queue.popFirst() == 1)
    #expect(queue.popFirst() == nil)
    #expect(queue.isEmpty)
  }

  @Test func `what has been taken out is released`() {
    final class Token {}
    var queue = FIFOQueue<Token>()
    weak var first: Token?
    do {
      let token = Token()
      first = token
      queue.append(token)
      queue.append(Token())
    }
    _ = queue.popFirst()
    #expect(first == nil)
    #expect(queue.count == 1)
  }
}
