import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures
import TestSupport

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

  @Test func `a derived value that mixes while the flux does nothing is a fault, too`() {
    let other = Substance(Tally())
    let heard = Recorder<Int>()
    let token = other.observe(\.counter, isolation: nil) { [counter] in
      _ = counter.state
      heard.append($1)
    }
    let derived = Derived { [counter] in
      other.mix { $0.counter += 1 }
      _ = counter
      return other.counter
    }
    #expect(derived.value == 0)
    #expect(FaultLog.takeKinds() == [.derivedMixes])
    #expect(heard.all.isEmpty)
    // What an observer of the mix would have read is none of the closure's reads.
    counter.mix { $0 += 1 }
    #expect(derived.value == 0)
    #expect(FaultLog.takeKinds() == [])
    other.mix { $0.counter = 7 }
    #expect(derived.value == 7)
    #expect(FaultLog.takeKinds() == [.derivedMixes])
    withExtendedLifetime(token) {}
  }

  enum Way: CaseIterable { case mix, mixOfTwo, closure, mixer, lockWithMixer, rollback, transaction, chain }
  enum Go: SubstanceMixer { case go }

  @Test(arguments: Way.allCases, [false, true])
  func `every way to submit an operation is refused`(_ way: Way, _ isBusy: Bool) async {
    let answering = ReactiveSubstance(Tally(), name: "answering") { on in
      on(Go.go) { state, _ in state.counter += 1 }
    }
    let (owner, outcomes) = (Owner(), Recorder<FluxReceipt>())
    let reactor = Flask.reactor(attachedTo: owner, mixing: answering)
    answering.captureState()
    let derived = Derived { [counter] in
      switch way {
      case .mix: outcomes.append(answering.mix { $0.counter += 1 })
      case .mixOfTwo: outcomes.append(Flask.mix(answering, counter) { $0.counter += $1 })
      case .closure: outcomes.append(Flask.performInFluxQueue {})
      case .mixer: outcomes.append(Flask.applyMixer(Go.go))
      case .lockWithMixer:
        let lock = Flask.lock(withMixer: Go.go)
        #expect(!lock.isHeld)
      case .rollback: outcomes.append(answering.rollbackState())
      case .transaction: Task { _ = try? await answering.transaction { $0.counter += 0 } }
      case .chain: outcomes.append(reactor.mix(answering) { $0.prop.counter += 1 }.react())
      }
      return counter.state
    }
    if isBusy {
      counter.mix { _ in _ = derived.value }
    } else {
      _ = derived.value
    }
    #expect(answering.state.counter == 0)
    #expect(FaultLog.takeKinds() == (way == .transaction ? [] : [.derivedMixes]))
    for receipt in outcomes.all { #expect(await receipt.outcome.description == "aborted") }
    #expect(Flux.current.locks.isEmpty)
  }

  @Test func `onFault may mix and read while a derived value is computed`() {
    let flux = Flux()
    Flux.$current.withValue(flux) {
      let faults = Substance(0, name: "faults")
      let source = Substance(0)
      let kinds = Recorder<FlaskFault.Kind>()
      flux.onFault = { fault in
        kinds.append(fault.kind)
        faults.mix { $0 += 1 }
        _ = faults.state
      }
      let derived = Derived {
        source.mix { $0 += 1 }
        return source.state
      }
      let token = derived.observe(isolation: nil) { _, _ in }
      let before = kinds.count
      source.mix { $0 = 10 }
      #expect(kinds.count == before + 1)
      #expect(faults.state == kinds.count)
      // The read of the handler is none of the closure's.
      faults.mix { $0 = 0 }
      #expect(kinds.count == before + 1)
      withExtendedLifetime(token) {}
    }
  }

  // MARK: Reading oneself

  private final class Loop<Value: Sendable>: @unchecked Sendable { var derived: Derived<Value>? }

  private func first<Value: Sendable>(_ compute: @escaping @Sendable (Value) -> Value) -> Value? {
    let loop = Loop<Value>()
    loop.derived = Derived { [unowned loop] in compute(loop.derived.unsafelyUnwrapped.value) }
    defer { loop.derived = nil }
    return loop.derived?.value
  }

  @Test func `a derived value that reads itself before it has a value gets an empty one`() {
    #expect(first { (value: Int) in value + 1 } == 1)
    #expect(first { (value: String) in value + "a" } == "a")
    #expect(first { (value: [Int]) in value + [1] } == [1])
    #expect(first { (value: [String: Int]) in value.merging(["a": 1]) { $1 } } == ["a": 1])
    #expect(first { (value: Set<Int>) in value.union([1]) } == [1])
    #expect(first { (value: Bool) in !value } == true)
    #expect(first { (value: Double) in value + 0.5 } == 0.5)
    #expect(first { (value: Int?) in (value ?? 4) + 1 } == 5)
    #expect(first { (value: Tally) in Tally(counter: value.counter + 1) }?.counter == 1)
    #expect(FaultLog.takeKinds() == Array(repeating: .derivedFromItself, count: 9))
  }

  @Test func `two derived values that read each other have a value each`() {
    let (a, b) = (Loop<Int>(), Loop<Int>())
    a.derived = Derived { [unowned b] in b.derived.unsafelyUnwrapped.value + 1 }
    b.derived = Derived { [unowned a] in a.derived.unsafelyUnwrapped.value + 10 }
    #expect(a.derived?.value == 11)
    _ = FaultLog.takeKinds()
    a.derived = nil
    b.derived = nil
  }
}
