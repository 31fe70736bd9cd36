import Foundation
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

  // MARK: What runs beside a closure

  private final class Session: Sendable {
    let id: Int
    let words: LastWords?

    init(_ id: Int, _ words: LastWords?) {
      self.id = id
      self.words = words
    }
  }

  @Test func `the deinit of an old value may mix, in any order of the reads`() {
    let (source, closed) = (Substance(Tally()), Substance(Tally()))
    let seen = Recorder<Bool>()
    let token = closed.observe(\.counter, isolation: nil) { seen.append(closed.counter == $1) }
    let session = Derived {
      _ = closed.counter
      return Session(source.counter, LastWords { closed.mix { $0.counter += 1 } })
    }
    let title = Derived { "\(source.counter) \(session.value.id)" }
    #expect(title.value == "0 0")
    source.mix { $0.counter = 2 }
    #expect(title.value == "2 2")
    #expect(closed.counter == 1)
    source.mix { $0.counter = 3 }
    _ = session.value
    #expect(title.value == "3 3")
    #expect(closed.counter >= 2)
    #expect(!seen.all.contains(false))
    withExtendedLifetime(token) {}
  }

  private final class Observing: @unchecked Sendable { var derived: Derived<Int>? }

  @Test func `a derived value may be observed in its own closure`() async {
    let box = Observing()
    let (heard, tokens) = (Recorder<Int>(), Recorder<SubstanceObservation?>())
    // Weak: the closure may run on another thread, for an observer that was added inside of it, when the test ends.
    box.derived = Derived { [counter, weak box] in
      if tokens.count == 0 { tokens.append(box?.derived?.observe(isolation: nil) { heard.append($1) }) }
      return counter.state
    }
    #expect(box.derived?.value == 0)
    counter.mix { $0 = 5 }
    await soon { !heard.all.isEmpty }
    #expect(Set(heard.all) == [5])
    #expect(Set(FaultLog.takeKinds()) == [.derivedFromItself])
    withExtendedLifetime(box) { _ = tokens.take() }
  }

  @Test func `a fault handler that reads is not called again without end, however long the chain`() async {
    await #expect(processExitsWith: .success) {
      // The fault that the handler causes itself is written there.
      close(2)
      let source = Substance(0)
      let chain = Recorder<Derived<Int>>()
      for number in 0..<80 {
        let before = chain.all.last
        chain.append(
          Derived {
            if number == 0 { source.mix { $0 += 1 } }
            return (before?.value ?? 0) + source.state
          }
        )
      }
      let calls = Recorder<Int>()
      Flask.onFault = { _ in
        if calls.count < 100 { calls.append(chain.all[79].value) }
      }
      _ = chain.all[79].value
      exit(calls.count == 1 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test func `faults of others' operations that a handler performs are passed to the handler`() {
    let flux = Flux()
    Flux.$current.withValue(flux) {
      let (log, tally) = (Substance(0), Substance(Tally()))
      let lines = Recorder<FlaskFault.Kind>()
      flux.onFault = { fault in
        lines.append(fault.kind)
        if lines.count > 1 { return }
        log.mix { number in
          number += 1
          // Another thread submits an operation with a fault, which this thread performs.
          OtherThread.runBlocking {
            Flux.$current.withValue(flux) { _ = Flask.performInFluxQueue { tally.prop.counter = 1 } }
          }
        }
      }
      tally.rollbackState()
      #expect(lines.all == [.nothingCaptured, .propOutsideMix])
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
