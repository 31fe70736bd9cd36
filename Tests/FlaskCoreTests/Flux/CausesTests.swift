import FlaskPrimitives
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Operations that lead to each other without end, through what observes their changes.
@Suite(.ownFlux) struct CausesTests {
  private let counter = Substance(0, name: "counter")

  @MainActor private final class Switch { var isOn = true }

  @Test @MainActor func `an observer that mixes what it observes is a fault, and the main actor continues`()
    async
  {
    let going = Switch()
    let counter = counter
    let token = counter.observe(\.self) { _, _ in
      if going.isOn { counter.mix { $0 += 1 } }
    }
    counter.mix { $0 = 1 }
    await Task { @MainActor in going.isOn = false }.value
    let faults = FaultLog.current.take()
    #expect(faults.map(\.kind) == [.endlessReaction])
    #expect(faults.first?.message.contains("the last one changed the state, and") == true)
    withExtendedLifetime(token) {}
  }

  @Test func `the chain is reported once, with the line of its mix, and continues to its end`() {
    let line: UInt = #line + 2
    let token = counter.observe(\.self) { [counter] _, new in
      if new < 1000 { counter.mix { $0 += 1 } }
    }
    counter.mix { $0 = 1 }
    #expect(counter.state == 1000)
    let faults = FaultLog.current.take()
    #expect(faults.map(\.kind) == [.endlessReaction])
    #expect(faults.first?.fileID == "FlaskCoreTests/CausesTests.swift")
    #expect(faults.first?.line == line)
    withExtendedLifetime(token) {}
  }

  @Test func `500 operations that lead to each other are none, and a second chain begins from scratch`() {
    let token = counter.observe(\.self) { [counter] _, new in
      if new % 500 != 0 { counter.mix { $0 += 1 } }
    }
    for _ in 0..<3 { counter.mix { $0 += 1 } }
    #expect(counter.state == 1500)
    #expect(FaultLog.takeKinds() == [])
    withExtendedLifetime(token) {}
  }

  @Test func `thousands of operations that wait, and of which none leads to another, are none`() {
    let lock = Flask.lock()
    for _ in 0..<5000 { counter.mix { $0 += 1 } }
    lock.release()
    #expect(FaultLog.takeKinds() == [])
  }

  @Test func `two substances whose reactors mix each other are a fault that names the last one`() {
    let other = Substance(0, name: "other")
    let owner = Owner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [counter, other])
    reactor.handler = { [counter, other] _, _ in
      if counter.state > other.state {
        other.mix { $0 += 1 }
      } else if counter.state < 400 {
        counter.mix { $0 += 1 }
      }
    }
    counter.mix { $0 = 1 }
    #expect([counter.state, other.state] == [400, 400])
    let faults = FaultLog.current.take()
    #expect(faults.map(\.kind) == [.endlessReaction])
    #expect(faults.first?.message.contains("the last one changed the state, and") == true)
  }

  @Test func `a chain by way of an observer on an actor is one, too`() async {
    let done = Signal()
    let counter = counter
    let home = Home()
    let token = await home.observe(counter) { new in
      if new < 2000 { counter.mix { $0 += 1 } } else { done.fire() }
    }
    counter.mix { $0 = 1 }
    await done.wait()
    #expect(counter.state == 2000)
    #expect(FaultLog.takeKinds() == [.endlessReaction])
    withExtendedLifetime((home, token)) {}
  }

  private actor Home {
    func observe(
      _ counter: Substance<Int>,
      _ body: @escaping @Sendable (Int) -> Void
    ) -> SubstanceObservation {
      counter.observe(\.self) { _, new in body(new) }
    }
  }

  @Test(arguments: [(512, 0), (513, 1)])
  func `a chain is reported when its 513th operation has changed the state, and not before`(
    operations: Int,
    faults: Int
  ) {
    let token = counter.observe(\.self) { [counter] _, new in
      if new < operations { counter.mix { $0 += 1 } }
    }
    counter.mix { $0 = 1 }
    #expect(counter.state == operations)
    #expect(FaultLog.takeKinds() == Array(repeating: .endlessReaction, count: faults))
    withExtendedLifetime(token) {}
  }

  private enum Mixers: SubstanceMixer { case begin }

  /// The faults of a chain of operations that a mixer begins.
  private func faults(ofChainOf count: Int) -> [FlaskFault.Kind] {
    let tally = ReactiveSubstance(Tally()) { on in
      on(Mixers.begin) { state, _ in state.counter = 1 }
    }
    let token = tally.observe(\.counter) { [tally] _, new in
      if new < count { tally.mix { $0.counter += 1 } }
    }
    Flask.substances(reactTo: Mixers.begin)
    #expect(tally.counter == count)
    return withExtendedLifetime(token) { FaultLog.takeKinds() }
  }

  @Test func `512 operations that a mixer begins are no endless chain, and one more is`() {
    #expect(faults(ofChainOf: 512) == [])
    #expect(faults(ofChainOf: 513) == [.endlessReaction])
  }
}
