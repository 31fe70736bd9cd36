import Foundation
import Observation
import Testing

@testable import FlaskCore
@testable import FlaskDerived

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

  @Test func `what one bus changes and the other changes back before it is looked at tells nobody`() async {
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

  @Test func `who tracks and has read a value that comes to nothing is told of the next one`() async {
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

  @Test func `changes of both buses on two threads end with what there is`() async {
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
}
