import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures

/// Derived values whose closures mix.
@Suite(.ownFlux) struct MixingDerivedTests {
  private let counter = Substance(0, name: "counter")

  @Test func `a derived value that mixes is a fault each time, and no loop`() {
    let derived = Derived { [counter] in
      let count = counter.state
      counter.mix { $0 += 1 }
      return count
    }
    let token = derived.observe { _, _ in }
    _ = FaultLog.current.take()
    let before = counter.state
    counter.mix { $0 = before + 10 }
    #expect(counter.state == before + 10)
    #expect(Set(FaultLog.takeKinds()) == [.derivedMixes])
    withExtendedLifetime(token) {}
  }
}
