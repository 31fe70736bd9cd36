import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures
import TestSupport

/// Observers of derived values come and go in the middle of operations.
@Suite(.ownFlux) struct DerivedAudienceTests {
  /// What the closure of a derived value does once, on the performing thread.
  final class Interruption: @unchecked Sendable {
    var steps: [() -> Void] = []

    func pass() { if !steps.isEmpty { steps.removeFirst()() } }
  }

  @Test func `the last observer goes, and another one comes, while the read of an operation is repeated`() {
    let near = Substance(Tally())
    let (far, second) = Flux.$current.withValue(Flux()) { (Substance(Tally()), Substance(Tally())) }
    let interruption = Interruption()
    let value = Derived { near.counter }
    let stopper = Derived {
      let count = near.counter + far.counter
      interruption.pass()
      return count + second.counter
    }
    let heard = Recorder<String>()
    nonisolated(unsafe) var first: SubstanceObservation? = value.observe(isolation: nil) { _, _ in }
    let others = stopper.observe(isolation: nil) { _, _ in }
    nonisolated(unsafe) var token: SubstanceObservation?
    interruption.steps = [
      {
        // The draft of `value` is part of the operation. This read is torn, so all values are found again.
        first = nil
        OtherThread.runBlocking {
          far.mix { $0.counter += 1 }
          second.mix { $0.counter += 1 }
        }
      },
      { token = value.observe(isolation: nil) { heard.append("second \($0) → \($1)") } },
    ]
    for number in 1...3 { near.mix { $0.counter = number } }
    #expect(value.value == 3)
    #expect(heard.all == ["second 0 → 1", "second 1 → 2", "second 2 → 3"])
    withExtendedLifetime((first, token, others)) {}
  }

  @Test func `observers come and go while others mix`() async {
    let substances = (0..<4).map { _ in Substance(Tally()) }
    let values = Recorder<Derived<Int>>()
    for place in 0..<6 {
      let before = values.all.last
      let choice = substances[place % 4]
      values.append(
        Derived {
          let count = choice.counter + (before?.value ?? 0)
          return count % 2 == 0 ? count + substances[(place + 1) % 4].counter : count
        }
      )
    }
    let all = values.all
    @Sendable func expected(_ place: Int) -> Int {
      let count = substances[place % 4].state.counter + (place == 0 ? 0 : expected(place - 1))
      return count % 2 == 0 ? count + substances[(place + 1) % 4].state.counter : count
    }
    let rounds = Workload.count(3_000, full: 200_000)
    let flux = Flux.current
    await OtherThread.run(times: 3) { thread in
      Flux.$current.withValue(flux) {
        var random = SeededGenerator(seed: Workload.seed &+ UInt64(thread))
        var tokens: [SubstanceObservation] = []
        for _ in 0..<rounds {
          if thread < 2 {
            substances[Int(random.next() % 4)].mix { $0.counter += 1 }
          } else {
            if tokens.count == 2 { tokens.removeFirst() }
            tokens.append(all[Int(random.next() % 6)].observe(isolation: nil) { _, _ in })
          }
        }
      }
    }
    _ = await flux.performInFluxQueue {}.outcome
    let sum = substances.map(\.state.counter).reduce(0, +)
    #expect(sum == 2 * rounds)
    // Equal to values that no observer has ever kept.
    for (place, value) in all.enumerated() { #expect(value.value == expected(place)) }
  }
}
