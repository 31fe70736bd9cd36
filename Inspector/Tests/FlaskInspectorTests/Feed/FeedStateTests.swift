import Testing

@testable import FlaskInspector

@Suite struct FeedStateTests {
  @Test func `the newest lines are kept, as many as there may be`() {
    var state = FeedState(capacity: 3, byteLimit: 1_000)
    for number in 1...5 { state.append("\(number)") }
    #expect(state.all == ["3", "4", "5"])
    #expect(state.count == 3)
    #expect(state.end == 5)
  }

  @Test func `as many bytes as there may be are kept, but at least one line`() {
    var state = FeedState(capacity: 10, byteLimit: 6)
    for line in ["aaa", "bbb", "ccc"] { state.append(line) }
    #expect(state.all == ["bbb", "ccc"])
    state.append("dddddddddd")
    #expect(state.all == ["dddddddddd"])
    for line in ["e", "f"] { state.append(line) }
    #expect(state.all == ["e", "f"])
  }

  @Test func `the head stays whatever comes`() {
    var state = FeedState(capacity: 1, byteLimit: 1_000)
    state.setHead(["head"])
    for line in ["1", "2"] { state.append(line) }
    #expect(state.all == ["head", "2"])
  }

  @Test func `a reader gets batches, and then nothing`() {
    var state = FeedState(capacity: 10, byteLimit: 1_000)
    for number in 0..<5 { state.append("\(number)") }
    let first = state.batch(after: FeedPlace(), limit: 3)
    #expect(first?.lines == ["0", "1", "2"])
    #expect(first?.next.line == 3)
    let second = state.batch(after: FeedPlace(line: 3), limit: 3)
    #expect(second?.lines == ["3", "4"])
    #expect(state.batch(after: FeedPlace(line: 5), limit: 3) == nil)
  }

  @Test func `a reader that lags goes on with the oldest that is kept`() {
    var state = FeedState(capacity: 2, byteLimit: 1_000)
    for number in 0..<10 { state.append("\(number)") }
    let batch = state.batch(after: FeedPlace(line: 3), limit: 10)
    #expect(batch?.lines == ["8", "9"])
    #expect(batch?.next.line == 10)
  }

  @Test func `what lives now comes once to each reader, after the lines`() {
    var state = FeedState(capacity: 10, byteLimit: 1_000)
    state.append("0")
    state.append("1")
    state.setLive("a")
    state.setLive("b")
    let first = state.batch(after: FeedPlace(), limit: 1)
    #expect(first?.live == nil)
    let second = state.batch(after: first?.next ?? FeedPlace(), limit: 1)
    #expect(second?.lines == ["1"])
    #expect(second?.live == "b")
    #expect(state.batch(after: second?.next ?? FeedPlace(), limit: 1) == nil)
  }

  @Test func `after the end nothing is taken, and each reader is told once it has the rest`() {
    var state = FeedState(capacity: 10, byteLimit: 1_000)
    state.append("0")
    state.finish()
    state.append("1")
    let batch = state.batch(after: FeedPlace(), limit: 10)
    #expect(batch?.lines == ["0"])
    #expect(batch?.isLast == true)
  }
}
