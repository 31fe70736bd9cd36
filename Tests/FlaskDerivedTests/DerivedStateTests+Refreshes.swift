import FlaskCore
import Testing

@testable import FlaskDerived

extension DerivedStateTests {
  func refreshing(_ state: inout DerivedState, hasDraft: Bool = false) -> DerivedState.RefreshStep {
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
    _ = state.checkRecord(byPerformer: false, isComputing: { false }, version: isPresent)
    _ = state.checkRecord(byPerformer: false, isComputing: { false }, version: isPresent)
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
    guard case .compute = state.checkRecord(byPerformer: false, isComputing: { false }, version: isPresent)
    else {
      Issue.record("not computed")
      return
    }
    guard case .compute = state.checkRecord(byPerformer: false, isComputing: { false }, version: isPresent)
    else {
      Issue.record("no second computation")
      return
    }
    guard
      case .cycle(let last) = state.checkRecord(byPerformer: false, isComputing: { true }, version: isPresent)
    else {
      Issue.record("no cycle")
      return
    }
    #expect(last === first)
  }

  @Test(arguments: Phase.allCases)
  func `observers are behind if a key has changed since the value that is shown`(_ phase: Phase) {
    var state = state(in: phase)
    #expect(state.isBehind(isPresent) == (phase == .placed))
    _ = state.place(second)
    #expect(!state.isBehind(isPresent))
  }

  @Test func `a value in the draft is not computed over, but looked at`() {
    var state = state(in: .placed)
    guard case .decide(.compute(let last), let placed, false) = refreshing(&state, hasDraft: true) else {
      Issue.record("the fast path")
      return
    }
    #expect(last === first && placed === first)
  }

  @Test(arguments: Phase.allCases)
  func `a refresh needs a registered node and a base value`(_ phase: Phase) {
    var state = state(in: phase)
    switch (phase, refreshing(&state)) {
    case (.idle, .nothing), (.closed, .nothing), (.following, .noBase), (.placed, .compute): break
    case (_, let step): Issue.record("\(phase): \(step)")
    }
  }

  @Test func `the present value is that of the newest record, or of the one that is shown`() {
    var state = state(in: .idle)
    #expect(state.present(isPresent) == nil)
    _ = state.checkRecord(byPerformer: true, isComputing: { false }, version: isPresent)
    _ = state.computationEnded(with: second, byPerformer: true)
    #expect(state.present(isPresent) === second)
    var behind = self.state(in: .placed)
    _ = behind.place(second)
    #expect(behind.cached === first)
    #expect(behind.present(isPresent) === second)
    guard
      case .right(let found) = behind.checkRecord(
        byPerformer: true,
        isComputing: { true },
        version: isPresent
      )
    else {
      Issue.record("computed")
      return
    }
    #expect(found === second)
  }

  @Test func `a record that another flux has got is not reused, and the next one is`() {
    var state = state(in: .placed)
    _ = state.checkRecord(byPerformer: false, isComputing: { false }, version: isPresent)
    _ = state.computationEnded(with: first, byPerformer: true)
    guard case .compute = refreshing(&state) else {
      Issue.record("not computed")
      return
    }
    var replaced: (DerivedRecord?, DerivedRecord?)
    guard case .placed(nil) = state.computed(second, replaced: &replaced) else {
      Issue.record("reused")
      return
    }
    counter.mix { $0.count = 2 }
    guard case .compute = refreshing(&state) else {
      Issue.record("not computed again")
      return
    }
    guard case .placed(let spare) = state.computed(first, replaced: &replaced) else {
      Issue.record("not placed")
      return
    }
    #expect(spare === second)
  }

  @Test func `a value that depends on other keys is placed after the node was registered with them`() {
    let other = Flux.$current.withValue(Flux()) { Substance(Counter()) }
    let elsewhere = Flux.$current.withValue(Flux()) { Derived { other.state.count } }.node.record()
    var state = state(in: .placed)
    guard case .compute = refreshing(&state) else {
      Issue.record("not computed")
      return
    }
    var replaced: (DerivedRecord?, DerivedRecord?)
    guard case .unplaced = state.computed(elsewhere, replaced: &replaced) else {
      Issue.record("placed at once")
      return
    }
    let dependsOnOthers = state.place(elsewhere)
    #expect(dependsOnOthers == true)
  }

  @Test func `the last observer takes its marks with it`() {
    var state = state(in: .placed)
    _ = state.trackedClosureRead(second)
    _ = state.leave(hasDraft: false)
    #expect(state.cached === first)
    _ = state.observerAdded()
    let isOther = state.setBase(second)
    #expect(isOther)
    guard case .decide(_, _, mustNotify: false) = refreshing(&state) else {
      Issue.record("notified")
      return
    }
  }
}
