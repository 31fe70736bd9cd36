import Foundation
import Observation
import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures
import TestSupport

/// Values that depend on substances of two buses: each has its own order, and what one changes is told a little later.
@Suite(.ownFlux) struct DerivedBusesTests {
  let near = Substance(0)
  let heard = Recorder<String>()
  let other = Flux()
  let far: Substance<Int>
  let sum: Derived<Int>

  init() {
    let far = Flux.$current.withValue(other) { Substance(0) }
    self.far = far
    sum = Derived { [near] in near.state + far.state }
  }

  private func track() -> Int {
    withObservationTracking {
      sum.value
    } onChange: { [heard] in
      heard.append("changed")
    }
  }

  @Test func `what one flux changes and the other changes back before it is looked at notifies no one`() async
  {
    let token = sum.observe(isolation: nil) { [heard] in heard.append("\($0) → \($1)") }
    let flux = Flux.current
    let lock = flux.lock()
    near.mix { $0 -= 1 }
    far.mix { $0 += 1 }
    #expect(sum.value == 1)
    #expect(heard.all == [])
    lock.release()
    _ = await flux.performInFluxQueue {}.outcome
    #expect(sum.value == 0)
    // What the other bus has changed came with the next operation of this one.
    #expect(heard.all == [])
    withExtendedLifetime(token) {}
  }

  @Test func `who tracks and has read another value is notified when it is as before, in other memory`() async
  {
    let list = Derived { [near, far] in [near.state + far.state] }
    let token = list.observe(isolation: nil) { [heard] in heard.append("\($0) → \($1)") }
    let flux = Flux.current
    let lock = flux.lock()
    far.mix { $0 = 1 }
    let seen = withObservationTracking {
      list.value
    } onChange: { [heard] in
      heard.append("changed")
    }
    #expect(seen == [1])
    far.mix { $0 = 0 }
    lock.release()
    _ = await flux.performInFluxQueue {}.outcome
    #expect(list.value == [0])
    #expect(heard.all == ["changed"])
    withExtendedLifetime(token) {}
  }

  @Test func `who tracks and has read a value that has no effect is notified of the next one`() async {
    #expect(track() == 0)
    let flux = Flux.current
    let lock = flux.lock()
    far.mix { $0 += 1 }
    #expect(track() == 1)
    far.mix { $0 -= 1 }
    #expect(heard.all == [])
    lock.release()
    _ = await flux.performInFluxQueue {}.outcome
    #expect(!heard.all.isEmpty)
    #expect(sum.value == 0)
  }

  @Test func `changes of both fluxes on two threads end with what there is`() async {
    let count = Workload.count(2_000, full: 50_000)
    let last = Recorder<Int>()
    let broken = Recorder<String>()
    let token = sum.observe(isolation: nil) { old, new in
      let before = last.take().last ?? 0
      if before != old { broken.append("\(before), then \(old) → \(new)") }
      last.append(new)
    }
    let (near, far) = (near, far)
    async let first: Void = OtherThread.run { for _ in 0..<count { near.mix { $0 += 1 } } }
    async let second: Void = OtherThread.run {
      for number in 0..<count { far.mix { $0 += number % 2 * 2 - 1 } }
    }
    _ = await (first, second)
    _ = await other.performInFluxQueue {}.outcome
    _ = await Flux.current.performInFluxQueue {}.outcome
    #expect(broken.all.prefix(3) == [])
    #expect(sum.value == near.state + far.state)
    #expect(last.all == [sum.value])
    withExtendedLifetime(token) {}
  }

  /// The states of this bus and of two substances of the other one, which are changed together between the two reads
  /// of the next run once `interruption` has an element.
  private func interrupted(by interruption: Recorder<Int>) -> Derived<[Int]> {
    let (first, second) = Flux.$current.withValue(other) { (Substance(0), Substance(0)) }
    return Derived { [near] in
      let numbers = [near.state, first.state]
      if !interruption.take().isEmpty {
        OtherThread.runBlocking {
          Flask.mix(first, second, isolation: nil) { first, second in
            first += 1
            second += 1
          }
        }
      }
      return numbers + [second.state]
    }
  }

  @Test func `what observers are passed is of one moment of each flux`() async {
    let interruption = Recorder<Int>()
    let value = interrupted(by: interruption)
    let heard = Recorder<[Int]>()
    let token = value.observe(isolation: nil) { heard.append($1) }
    interruption.append(0)
    near.mix { $0 = 1 }
    near.mix { $0 = 2 }
    #expect(heard.all == [[1, 1, 1], [2, 1, 1]])
    withExtendedLifetime(token) {}
  }

  @Test func `also if someone begins to observe another value meanwhile`() async {
    let interruption = Recorder<Int>()
    let value = interrupted(by: interruption)
    let heard = Recorder<[Int]>()
    let token = value.observe(isolation: nil) { heard.append($1) }
    let (isSlow, arrived, gate, begun) = (Recorder<Int>(), Gate(), Gate(), Gate())
    let slow = Derived { [near] in
      let number = near.state
      if !isSlow.take().isEmpty {
        arrived.open()
        gate.wait()
      }
      return number
    }
    _ = slow.value
    near.mix { $0 = 1 }
    isSlow.append(0)
    Thread {
      let token = slow.observe(isolation: nil) { _, _ in }
      begun.open()
      withExtendedLifetime(token) {}
    }
    .start()
    // It is known to depend on the substance, and has no value yet.
    arrived.wait()
    interruption.append(0)
    near.mix { $0 = 2 }
    gate.open()
    begun.wait()
    #expect(heard.all == [[1, 0, 0], [2, 1, 1]])
    withExtendedLifetime(token) {}
  }

  @Test func `who begins to observe after the last one was removed in the middle of a commit is reported`()
    async
  {
    let value = Derived { [near, far] in near.state + 100 * far.state }
    let (isSlow, arrived, gate, end) = (Recorder<Int>(), Gate(), Gate(), Gate())
    let slow = Flux.$current.withValue(other) {
      Derived { [far] in
        let number = far.state
        if !isSlow.take().isEmpty {
          arrived.open()
          gate.wait()
        }
        return number
      }
    }
    let tokens = [slow.observe(isolation: nil) { _, _ in }, value.observe(isolation: nil) { _, _ in }]
    isSlow.append(0)
    Thread { [far] in
      far.mix { $0 = 1 }
      end.open()
    }
    .start()
    arrived.wait()
    tokens[1].cancel()
    // Finds that nobody listens.
    near.mix { $0 = 1 }
    gate.open()
    end.wait()
    let last = value.observe(isolation: nil) { [heard] in heard.append("\($0) → \($1)") }
    far.mix { $0 = 2 }
    far.mix { $0 = 3 }
    #expect(heard.all == ["101 → 201", "201 → 301"])
    withExtendedLifetime((tokens, last)) {}
  }
}
