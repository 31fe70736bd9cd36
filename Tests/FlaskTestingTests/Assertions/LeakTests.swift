import FlaskTesting
import Testing

private final class Screen: FlaskReactor {
  let counter: Substance<Counter>
  init(_ counter: Substance<Counter>) {
    self.counter = counter
    Flask.attachReactor(to: self, mixing: counter)
  }
  func flaskReactions(reaction: FlaskReaction) {}
}

/// Holds what it is given, as a leak does.
private final class Holder {
  var held: [AnyObject] = []
}

@Suite struct LeakTests {
  private let found = IssueList()

  @Test func `what is left behind at the end is an issue at the line that made it`() {
    let holder = Holder()
    let line: UInt = #line + 2
    withTestFlux(onIssue: { [found] in found.add($0) }) { test in
      let counter = Substance(Counter(), name: "counter")
      holder.held = [counter]
    }
    #expect(
      found.messages == [
        "the substance counter, made at FlaskTestingTests/LeakTests.swift:\(line) is still alive after the test: it is retained"
      ]
    )
    #expect(found.lines == [line])
    holder.held = []
  }

  @Test func `a part of a test that leaves nothing behind is no issue, and one that does is`() {
    let holder = Holder()
    withTestFlux(onIssue: { [found] in found.add($0) }) { test in
      let counter = Substance(Counter(), name: "counter")
      test.expectNoLeaks { _ = counter.observe(\.count) { _, _ in } }
      #expect(found.messages == [])
      let token = test.expectNoLeaks { counter.observe(\.count) { _, _ in } }
      withExtendedLifetime(token) {}
    }
    #expect(found.messages.count == 1)
    #expect(found.messages.first?.hasPrefix("the observation of ") == true)
    withExtendedLifetime(holder) {}
  }

  @Test func `each commit of a substance is recorded, with its keys`() {
    withTestFlux { test in
      let counter = Substance(Counter(), name: "counter")
      let log = test.record(reactionsOf: counter)
      test.mix(counter) { $0.count = 1 }
      test.mix(counter) { state in
        state.count = 2
        state.name = "two"
      }
      #expect(log.keys == [["count"], ["count", "name"]])
      #expect(log.states.map(\.count) == [1, 2])
    }
  }
}
