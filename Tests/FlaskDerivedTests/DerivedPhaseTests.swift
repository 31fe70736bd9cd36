import Testing

@testable import FlaskDerived

/// Every event in every phase.
struct DerivedPhaseTests {
  @Test(arguments: DerivedPhase.allCases)
  func `an observer registers a node once, and no closed one`(_ before: DerivedPhase) {
    var phase = before
    let mustRegister = phase.follow()
    #expect(mustRegister == (before == .idle))
    #expect(phase == (before == .idle ? .following : before))
  }

  @Test(arguments: DerivedPhase.allCases, [false, true])
  func `a node without observers is left alone while the operation has its draft`(
    _ before: DerivedPhase,
    _ hasDraft: Bool
  ) {
    var phase = before
    let mustEnd = phase.leave(hasDraft: hasDraft)
    let isEnding = !hasDraft && (before == .following || before == .placed)
    #expect(mustEnd == isEnding)
    #expect(phase == (isEnding ? .idle : before))
  }
}
