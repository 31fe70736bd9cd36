import FlaskCore
import Testing

@testable import FlaskDerived

/// What happens to a node, without threads.
struct DerivedStateTests {
  typealias Phase = DerivedState.Phase

  struct Counter: FlaskState {
    var count = 0
  }

  /// Records of one derived value, before and after a mix.
  let first: DerivedRecord
  let second: DerivedRecord
  let counter: Substance<Counter>

  init() {
    let (counter, derived) = Flux.$current.withValue(Flux()) {
      let counter = Substance(Counter())
      return (counter, Derived { counter.state.count })
    }
    first = derived.node.record()
    counter.mix { $0.count = 1 }
    second = derived.node.record()
    self.counter = counter
  }

  /// A state whose newest record is `first`.
  func state(in phase: Phase) -> DerivedState {
    var state = DerivedState()
    _ = state.checkRecord(byPerformer: true, isComputing: { false }, version: { _ in 0 })
    _ = state.computationEnded(with: first, byPerformer: true)
    if phase == .following || phase == .placed { _ = state.observerAdded() }
    if phase == .placed {
      _ = state.replaceRegistered(with: first.reads.all)
      _ = state.setBase(first)
    }
    if phase == .closed { _ = state.close() }
    return state
  }

  func isPresent(_ cell: Cell) -> Int { cell.committedVersion }

  @Test(arguments: Phase.allCases)
  func `an observer registers a node once, and no closed one`(_ before: Phase) {
    var state = state(in: before)
    let sources = state.observerAdded()
    #expect((sources === first.reads.all) == (before == .idle))
    #expect((sources == nil) == (before != .idle))
    #expect(state.phase == (before == .idle ? .following : before))
  }

  @Test(arguments: Phase.allCases, [false, true])
  func `a node without observers is left alone while the operation has its draft`(
    _ before: Phase,
    _ hasDraft: Bool
  ) {
    var state = state(in: before)
    let ending = state.leave(hasDraft: hasDraft)
    let isEnding = !hasDraft && (before == .following || before == .placed)
    #expect((ending != nil) == isEnding)
    #expect((ending?.placed === first) == (isEnding && before == .placed))
    #expect(state.phase == (isEnding ? .idle : before))
  }

  @Test(arguments: Phase.allCases)
  func `a base value is set once, while an observer waits for it`(_ before: Phase) {
    let state = state(in: before)
    switch (before, state.refusal) {
    case (.idle, .idle?), (.following, nil), (.placed, .present?), (.closed, .closed?): break
    default: Issue.record("\(before): \(String(describing: state.refusal))")
    }
  }

  @Test func `the substance gets the base value unless it shows it`() {
    var state = state(in: .following)
    let isOther = state.setBase(first)
    #expect(isOther)
    #expect(state.phase == .placed)
    var made = self.state(in: .following)
    made.substanceMade(with: first)
    let isOtherThanMade = made.setBase(first)
    #expect(!isOtherThanMade)
  }

  @Test func `a substance without a state gets the newest value before it is read, once`() {
    var state = state(in: .placed)
    #expect(state.recordToShow() == nil)
    _ = state.leave(hasDraft: false)
    let shown = state.recordToShow()
    let again = state.recordToShow()
    #expect(shown === first)
    #expect(again == nil)
  }

  @Test(arguments: Phase.allCases)
  func `one refresh is pending at most, and none of a node that is not registered`(_ phase: Phase) {
    var state = state(in: phase)
    let asked = [state.requestRefresh(), state.requestRefresh()]
    state.refreshBegan()
    let askedAgain = state.requestRefresh()
    let isRegistered = phase == .following || phase == .placed
    #expect(asked == [isRegistered, false])
    #expect(askedAgain == isRegistered)
  }

  @Test func `a tracked closure that has read another value is notified by the next refresh`() {
    var state = state(in: .placed)
    let sameNeedsRefresh = state.trackedClosureRead(first)
    #expect(!sameNeedsRefresh)
    let otherNeedsRefresh = state.trackedClosureRead(second)
    #expect(otherNeedsRefresh)
    guard case .decide(_, let placed, true) = refreshing(&state) else {
      Issue.record("no notification")
      return
    }
    #expect(placed === first)
    guard case .decide(_, _, false) = refreshing(&state) else {
      Issue.record("notified twice")
      return
    }
  }
}
