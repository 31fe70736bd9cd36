import Testing

@testable import FlaskSharing

@Suite struct LeaseTermTests {
  private let one = Fence(name: "mailer", number: 1, holder: "one")
  private let two = Fence(name: "mailer", number: 2, holder: "one")

  private func held() -> LeaseTerm {
    var term = LeaseTerm(.seconds(30))
    term.didAnswer(nil, askedAt: .seconds(1))
    #expect(term.state == .waiting)
    term.didAnswer(one, askedAt: .seconds(10))
    return term
  }

  @Test func `a lease counts from the question, and ends before others can have it`() {
    var term = held()
    #expect(term.state == .held(one, until: .seconds(40)))
    #expect(term.deadline == .seconds(35))
    let before = term.isHeld(at: .seconds(34))
    let after = term.isHeld(at: .seconds(35))
    #expect(before && !after)
    #expect(term.state == .lost)
    term.didAnswer(one, askedAt: .seconds(36))
    #expect(term.state == .lost)
  }

  @Test func `a lease that is renewed is held for longer`() {
    var term = held()
    term.didAnswer(one, askedAt: .seconds(20))
    let isHeld = term.isHeld(at: .seconds(44))
    #expect(isHeld)
  }

  @Test func `a lease that another holder has had is lost`() {
    for answer in [nil, two] {
      var term = held()
      term.didAnswer(answer, askedAt: .seconds(20))
      #expect(term.state == .lost)
    }
  }

  @Test func `a lease that has ended is neither renewed nor lost`() {
    var term = held()
    term.end()
    term.didAnswer(nil, askedAt: .seconds(20))
    let isHeld = term.isHeld(at: .seconds(100))
    #expect(!isHeld)
    #expect(term.state == .ended)
  }

  @Test func `it is asked for each second, and renewed after a third; sooner after a failure`() {
    #expect(LeaseTerm(.seconds(30)).pause(afterFailure: false, jitter: 1) == .seconds(1))
    #expect(held().pause(afterFailure: false) == .seconds(10))
    #expect(held().pause(afterFailure: true, jitter: 1) == .seconds(1))
  }
}
