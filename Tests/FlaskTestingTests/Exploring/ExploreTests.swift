import FlaskActions
import Testing

@testable import FlaskTesting

private struct Ask: FluxAction { var text = "" }
private struct Answer: FluxAction { var text = "" }
private struct Mark: FluxAction { var value = 0 }

private final class Page: FluxStore<String>, @unchecked Sendable {
  init() {
    super.init(initialState: "", name: "page")
    registerReducer(for: Answer.self) { state, action in state = action.text }
  }
}

private final class Asking: FluxMiddleware, @unchecked Sendable {
  init(policy: FluxEffectPolicy) {
    super.init()
    registerEffect(for: Ask.self, id: "ask", policy: policy) { action, dispatch in
      await Task.yield()
      dispatch(Answer(text: action.text))
    }
  }
}

private final class Marking: FluxMiddleware, @unchecked Sendable {
  init(_ counter: Substance<Counter>) {
    super.init()
    registerEffect(for: Mark.self) { action, _ in
      await Task.yield()
      counter.mix { $0.count = action.value }
    }
  }
}

@Suite struct ExploreTests {
  private let found = IssueList()

  /// Two searches; what is there in the end should be the answer to the last one.
  private func explore(_ policy: FluxEffectPolicy) async -> Exploration {
    await withTestFlux(order: .oldestFirst, onIssue: { [found] in found.add($0) }) { test in
      await test.explore(seeds: 1_000) { test in
        let page = Page()
        test.dispatcher.register(workers: [page, Asking(policy: policy)])
        test.dispatcher.dispatch(Ask(text: "a"))
        await test.advance(by: .zero)
        test.dispatcher.dispatch(Ask(text: "ab"))
        await test.settle()
        test.verify(page.state == "ab", "the page shows \(page.state)")
      }
    }
  }

  @Test func `an answer that comes late is found, with the shortest order that fails`() async {
    let exploration = await explore(.concurrent)
    #expect(exploration.runs <= 1_000)
    #expect(exploration.failingOrder == .choices([1]))
    #expect(exploration.issues.first?.message.hasPrefix("the page shows a") == true)
    let message = found.issues.first?.message ?? ""
    #expect(found.issues.count == 1)
    #expect(message.contains("the order .choices([1]) fails"))
    #expect(message.contains("Answer(text: \"ab\") is received (one of 2 that were ready)\n"))
  }

  @Test func `without the race all orders are run, and none fails`() async {
    let exploration = await explore(.latest)
    #expect(exploration.failingOrder == nil)
    #expect(exploration.isComplete)
    #expect(found.messages == [])
  }

  @Test func `two effects that write one key in either order are found`() async {
    let exploration = await withTestFlux(onIssue: { [found] in found.add($0) }) { test in
      await test.explore(seeds: 1_000) { test in
        let counter = Substance(Counter(), name: "counter")
        test.dispatcher.register(workers: [Marking(counter)])
        for value in 1...2 { test.dispatcher.dispatch(Mark(value: value)) }
        await test.settle()
        test.verify(counter.count == 2, "the first one came last")
      }
    }
    #expect(exploration.failingOrder != nil)
    #expect(exploration.runs <= 1_000)
    let message = found.issues.first?.message ?? ""
    #expect(message.contains("the first one came last"))
    #expect(message.contains("the effect for Mark of Marking at FlaskTestingTests/ExploreTests.swift:"))
  }

  @Test func `an order that failed fails again when it is given`() async {
    let exploration = await explore(.concurrent)
    let again = IssueList()
    await withTestFlux(order: exploration.failingOrder, onIssue: { again.add($0) }) { test in
      test.exhaustivity = .off
      let page = Page()
      test.dispatcher.register(workers: [page, Asking(policy: .concurrent)])
      test.dispatcher.dispatch(Ask(text: "a"))
      await test.advance(by: .zero)
      test.dispatcher.dispatch(Ask(text: "ab"))
      await test.settle()
      test.verify(page.state == "ab", "the page shows \(page.state)")
    }
    #expect(again.messages == ["the page shows a"])
  }

  @Test func `a departure that the failure does not need is not in the order that is reported`() async {
    let exploration = await withTestFlux(order: .oldestFirst, onIssue: { [found] in found.add($0) }) { test in
      // The second run has the order of seed 2, whose first choices are 0, 0, 1, 0 and 1.
      await test.explore(seeds: 2) { test in
        let picks = (0..<5).map { _ in test.choices.pick(of: 2) }
        test.verify(picks[4] == 0, "the fifth was not the oldest")
      }
    }
    #expect(exploration.runs == 2)
    #expect(exploration.failingOrder == .choices([0, 0, 0, 0, 1]))
    #expect(found.issues.count == 1)
  }
}
