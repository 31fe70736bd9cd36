import Foundation
import Observation
import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures
import TestSupport

/// Somebody begins to listen, or another bus commits, in the middle of an operation: nobody is left with what is old.
@Suite(.ownFlux) struct DerivedRaceTests {
  /// Stops who comes by, once it has been set up.
  final class Barrier: Sendable {
    private let isSet = Recorder<Bool>()
    private let arrived = Gate()
    private let gate = Gate()

    func set() { isSet.append(true) }

    func pass() {
      if isSet.take().isEmpty { return }
      arrived.open()
      gate.wait()
    }

    func waitForSomebody() { arrived.wait() }
    func open() { gate.open() }
  }

  let near = Substance(Tally())
  let heard = Recorder<String>()
  let barrier = Barrier()

  /// Mixes on a thread of its own. The operation stands still after all values were asked whether it concerns them, and
  /// before it is committed, while `body` runs.
  private func during(_ mix: @escaping @Sendable () -> Void, _ body: () -> Void) {
    barrier.set()
    let end = Gate()
    // Not in a task, which might wait for the thread that waits here.
    Thread {
      mix()
      end.open()
    }
    .start()
    barrier.waitForSomebody()
    body()
    barrier.open()
    end.wait()
  }

  /// Something else that is observed and follows from a substance, whose closure stops operations; and one more, so
  /// that all are asked first.
  private func stopper(_ substance: Substance<Tally>, on flux: Flux = .current) -> [Any] {
    Flux.$current.withValue(flux) { [barrier] in
      let values = (0..<2).map { place in
        Derived {
          if place == 0 { barrier.pass() }
          return substance.counter
        }
      }
      return values.map { ($0, $0.observe(isolation: nil) { _, _ in }) }
    }
  }

  /// A value of this bus that depends on a substance of another one, too.
  private func overTwo() -> (far: Substance<Tally>, other: Flux, value: Derived<Int>) {
    let other = Flux()
    let far = Flux.$current.withValue(other) { Substance(Tally()) }
    return (far, other, Derived { [near] in near.counter + 100 * far.counter })
  }

  @Test func `another flux commits after this one has reported of a change of its own`() {
    let (far, other, value) = overTwo()
    let token = value.observe(isolation: nil) { [heard] in heard.append("\($0) → \($1)") }
    let stopper = stopper(far, on: other)
    during({ far.mix { $0.counter = 1 } }) { near.mix { $0.counter = 1 } }
    near.mix { $0.counter = 2 }
    #expect(heard.all == ["0 → 1", "1 → 101", "101 → 102"])
    withExtendedLifetime((token, stopper)) {}
  }

  @Test func `purging what waits does not purge changes of another flux`() async {
    let (far, _, value) = overTwo()
    let flux = Flux.current
    let token = value.observe(isolation: nil) { [heard] in heard.append("\($0) → \($1)") }
    let lock = flux.lock()
    far.mix { $0.counter = 1 }
    let mix = near.mix { $0.counter = 1 }
    flux.purgeFluxQueue()
    lock.release()
    let outcome = await mix.outcome
    #expect("\(outcome)" == "purged")
    _ = await flux.performInFluxQueue {}.outcome
    #expect(heard.all == ["0 → 100"])
    withExtendedLifetime(token) {}
  }

  @Test func `someone begins to observe in the middle of an operation`() {
    let value = Derived { [near] in near.counter }
    #expect(value.value == 0)
    let stopper = stopper(near)
    var token: SubstanceObservation?
    during({ [near] in near.mix { $0.counter = 1 } }) {
      token = value.observe(isolation: nil) { [heard] in heard.append("\($0) → \($1)") }
      #expect(value.value == 0)
    }
    near.mix { $0.counter = 2 }
    #expect(heard.all == ["0 → 1", "1 → 2"])
    withExtendedLifetime((token, stopper)) {}
  }

  @Test func `someone begins to observe again, after changes that no one was notified of`() {
    let value = Derived { [near] in near.counter }
    value.observe(isolation: nil) { [heard] in heard.append("\($0) → \($1)") }.cancel()
    near.mix { $0.counter = 7 }
    let stopper = stopper(near)
    var token: SubstanceObservation?
    during({ [near] in near.mix { $0.counter = 0 } }) {
      token = value.observe(isolation: nil) { [heard] in heard.append("\($0) → \($1)") }
      #expect(value.value == 7)
    }
    #expect(heard.all == ["7 → 0"])
    withExtendedLifetime((token, stopper)) {}
  }

  @Test func `someone who has read what is just being published is not notified of it`() {
    let value = Derived { [near] in near.counter }
    let before = value.observe(isolation: nil) { _, _ in }
    let tokens = Recorder<SubstanceObservation>()
    withObservationTracking {
      _ = near.counter
    } onChange: { [heard] in
      // The state is published, and its observers have not been told.
      heard.append("reads \(value.value)")
      tokens.append(value.observe(isolation: nil) { heard.append("\($0) → \($1)") })
    }
    near.mix { $0.counter = 1 }
    near.mix { $0.counter = 2 }
    #expect(heard.all == ["reads 1", "1 → 2"])
    withExtendedLifetime((before, tokens)) {}
  }

  @Test func `someone makes a value and tracks it in the middle of an operation`() {
    let stopper = stopper(near)
    let value = Derived { [near] in near.counter }
    during({ [near] in near.mix { $0.counter = 1 } }) {
      let seen = withObservationTracking {
        value.value
      } onChange: { [heard] in
        heard.append("changed")
      }
      #expect(seen == 0)
    }
    #expect(heard.all == ["changed"])
    #expect(value.value == 1)
    withExtendedLifetime(stopper) {}
  }

  @Test func `someone begins to observe in the middle of an operation of another flux`() {
    let (far, other, value) = overTwo()
    #expect(value.value == 0)
    let stopper = stopper(far, on: other)
    var token: SubstanceObservation?
    during({ far.mix { $0.counter = 1 } }) {
      token = value.observe(isolation: nil) { [heard] in heard.append("\($0) → \($1)") }
      #expect(value.value == 0)
    }
    #expect(heard.all == ["0 → 100"])
    withExtendedLifetime((token, stopper)) {}
  }

  @Test func `a change comes while a value reads something for the first time, for someone who tracks`() {
    let flag = Substance(false)
    let value = Derived { [near, barrier] in
      guard flag.state else { return -1 }
      let count = near.counter
      barrier.pass()
      return count
    }
    // From here on there is all that observers need, and nobody listens.
    value.observe { _, _ in }.cancel()
    flag.mix { $0 = true }
    let seen = Recorder<Int>()
    during({ [heard] in
      let count = withObservationTracking {
        value.value
      } onChange: {
        heard.append("changed")
      }
      seen.append(count)
    }) { near.mix { $0.counter = 1 } }
    #expect(seen.all == [1] || heard.all == ["changed"], "\(seen.all), \(heard.all)")
    #expect(value.value == 1)
  }

  /// Two substances that change together, one after the other. The first value is observed, so its performer has it
  /// before the states are published; the second is not.
  @Test func `values that are read one after the other do not go back in time`() {
    let (first, second) = (Substance(0), Substance(0))
    let observed = Derived { first.state }
    let plain = Derived { second.state }
    let token = observed.observe { _, _ in }
    let count = 20_000
    let end = Gate()
    Thread {
      for _ in 0..<count {
        Flask.mix(first, second) { first, second in
          first += 1
          second += 1
        }
      }
      end.open()
    }
    .start()
    var last = 0
    var backward = 0
    while last < count {
      for read in [{ observed.value }, { plain.value }, { first.state }, { second.state }] {
        let value = read()
        if value < last { backward += 1 }
        last = max(last, value)
      }
    }
    end.wait()
    #expect(backward == 0)
    withExtendedLifetime(token) {}
  }
}
