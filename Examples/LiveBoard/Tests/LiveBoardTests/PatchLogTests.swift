import Testing

@testable import LiveBoard

@Suite struct PatchLogTests {
  @Test func `patches are joined in their order`() {
    var log = PatchLog(capacity: 10, byteLimit: 1_000)
    for operation in ["a", "b,c", "d"] { log.append(operation) }
    #expect(log.news(after: 0) == .patch("[a,b,c,d]", version: 3))
    #expect(log.news(after: 2) == .patch("[d]", version: 3))
    #expect(log.news(after: 3) == .nothing)
  }

  @Test func `whoever lags behind the oldest gets the state`() {
    var log = PatchLog(capacity: 3, byteLimit: 1_000)
    for number in 1...10 { log.append("\(number)") }
    #expect(log.news(after: 6) == .state)
    #expect(log.news(after: 7) == .patch("[8,9,10]", version: 10))
    #expect(log.news(after: 11) == .state)
    #expect(log.news(after: -1) == .state)
  }

  @Test func `bytes are bounded, too`() {
    var log = PatchLog(capacity: 100, byteLimit: 5)
    for _ in 0..<4 { log.append("xx") }
    #expect(log.news(after: 1) == .state)
    #expect(log.news(after: 2) == .patch("[xx,xx]", version: 4))
    log.append("yyyyyyyyyy")
    #expect(log.news(after: 4) == .state)
    #expect(log.news(after: 5) == .nothing)
  }

  @Test func `it stays right for long`() {
    var log = PatchLog(capacity: 5, byteLimit: 1_000)
    for number in 1...1_000 {
      log.append("\(number)")
      if number > 5 {
        #expect(log.news(after: number - 2) == .patch("[\(number - 1),\(number)]", version: number))
      }
    }
  }
}
