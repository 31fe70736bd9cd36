import FlaskCore
import Testing

@testable import FlaskDerived

/// Every event in every phase, without threads.
struct DerivedStateTests {
  typealias Phase = DerivedState.Phase

  private struct Counter: FlaskState {
    var count = 0
  }

  /// Records of one derived value, before and after a mix.
  private let first: DerivedRecord
  private let second: DerivedRecord
  private let counter: Substance<Counter>

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
  private func state(in phase: Phase) -> DerivedState {
    var state = DerivedState()
    _ = state.look(byPerformer: true, isComputing: { false }, version: { _ in 0 })
    _ = state.computationEnded(with: first, byPerformer: true)
    if phase == .following || phase == .placed { _ = state.observerAdded() }
    if phase == .placed {
      _ = state.register(first.reads.all)
      _ = state.setBase(first)
    }
    if phase == .closed { _ = state.close() }
    return state
  }

  private func isPresent(_ cell: Cell) -> Int { cell.committedVersion }

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
    guard case .decide(_, _, false) = refreshing(&state, hasDraft: true) else {
      Issue.record("notified twice")
      return
    }
  }

  private func refreshing(_ state: inout DerivedState, hasDraft: Bool = false) -> DerivedState.Refreshing {
    state.refreshing(hasDraft: hasDraft, isComputing: { false }, version: isPresent)
  }

  @Test func `a refresh runs the closure if a key that it has read has changed`() {
    var state = state(in: .placed)
    guard case .compute(let last) = refreshing(&state) else {
      Issue.record("not computed")
      return
    }
    #expect(last === first)
    var replaced: (DerivedRecord?, DerivedRecord?)
    guard case .placed(let spare) = state.computed(second, replaced: &replaced) else {
      Issue.record("not placed")
      return
    }
    #expect(spare === first)
    #expect(state.placed === second && state.cached === second)
    guard case .nothing = refreshing(&state) else {
      Issue.record("computed again")
      return
    }
  }

  @Test func `a record that other code may have is not reused`() {
    var state = state(in: .placed)
    #expect(state.present(isPresent) == nil)
    guard case .compute = refreshing(&state) else {
      Issue.record("not computed")
      return
    }
    var replaced: (DerivedRecord?, DerivedRecord?)
    guard case .placed(nil) = state.computed(second, replaced: &replaced) else {
      Issue.record("reused")
      return
    }
    #expect(replaced.1 === first)
  }

  @Test func `a value that a tracked closure reads differently meanwhile is placed afterwards`() {
    var state = state(in: .placed)
    guard case .compute = refreshing(&state) else {
      Issue.record("not computed")
      return
    }
    _ = state.trackedClosureRead(second)
    var replaced: (DerivedRecord?, DerivedRecord?)
    guard case .unplaced = state.computed(second, replaced: &replaced) else {
      Issue.record("placed at once")
      return
    }
    #expect(state.placed === first)
    let dependsOnOthers = state.place(second)
    #expect(dependsOnOthers == false)
    #expect(state.placed === second)
  }

  @Test func `nothing is stored in a node that was closed during the computation`() {
    var state = state(in: .placed)
    guard case .compute = refreshing(&state) else {
      Issue.record("not computed")
      return
    }
    let ending = state.close()
    #expect(ending.placed === first && ending.cached === first)
    var replaced: (DerivedRecord?, DerivedRecord?)
    guard case .closed = state.computed(second, replaced: &replaced) else {
      Issue.record("stored")
      return
    }
    let dependsOnOthers = state.place(second)
    #expect(dependsOnOthers == nil)
    guard case .refused = state.computationEnded(with: second, byPerformer: true) else {
      Issue.record("stored")
      return
    }
    #expect(state.cached == nil && state.placed == nil)
  }

  @Test func `a later record is not replaced by an earlier one of another thread`() {
    var state = DerivedState()
    _ = state.look(byPerformer: false, isComputing: { false }, version: isPresent)
    _ = state.look(byPerformer: false, isComputing: { false }, version: isPresent)
    guard case .stored(nil) = state.computationEnded(with: second, byPerformer: false) else {
      Issue.record("not stored")
      return
    }
    guard case .refused = state.computationEnded(with: first, byPerformer: false) else {
      Issue.record("replaced")
      return
    }
    #expect(state.cached === second)
  }

  @Test
  func
    `a derived value that is being computed here reads itself, and one that is computed elsewhere does not`()
  {
    var state = state(in: .idle)
    guard case .compute = state.look(byPerformer: false, isComputing: { false }, version: isPresent) else {
      Issue.record("not computed")
      return
    }
    guard case .compute = state.look(byPerformer: false, isComputing: { false }, version: isPresent) else {
      Issue.record("no second computation")
      return
    }
    guard case .cycle(let last) = state.look(byPerformer: false, isComputing: { true }, version: isPresent)
    else {
      Issue.record("no cycle")
      return
    }
    #expect(last === first)
  }

  @Test(arguments: Phase.allCases)
  func `observers are behind if a source has changed since the shown value`(_ phase: Phase) {
    let state = state(in: phase)
    let isBehind = state.isBehind(isPresent)
    #expect(isBehind == (phase == .placed))
  }
}
