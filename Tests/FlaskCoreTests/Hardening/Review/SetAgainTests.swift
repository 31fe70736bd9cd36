@testable import FlaskActions
import Observation
import Testing

@testable import FlaskCore

extension Hardening {
  /// Closures that are read and set again, and readers that come first at the same time.
  @Suite(.ownFlux) struct SetAgainTests {
    /// So often that a closure around a closure around … would overflow the stack of the thread.
    private static let times = 25_000

    @Test func `a handler of faults that is read and set again is called as before`() async {
      let flux = Flux()
      let heard = Recorder<FlaskFault.Kind>()
      flux.onFault = { heard.append($0.kind) }
      await OtherThread.run {
        for _ in 0..<Self.times {
          let saved = flux.onFault
          flux.onFault = saved
        }
        let tally = Flux.$current.withValue(flux) { Substance<Tally>() }
        _ = tally.observe(key: "no key", isolation: nil) { _ in }
      }
      #expect(heard.all == [.unknownKey])
    }

    @Test func `what a lock calls when it is released is called as before`() async {
      let heard = Recorder<Int>()
      await OtherThread.run { [flux = Flux.current] in
        let lock = flux.lock()
        lock.onRelease = { heard.append(($0 as? Int) ?? 0) }
        for _ in 0..<Self.times {
          let saved = lock.onRelease
          lock.onRelease = saved
        }
        lock.release(7, isolation: nil)
      }
      #expect(heard.all == [7])
    }

    @Test func `a handler of reactions that is read and set again is called as before`() async {
      let tally = Substance<Tally>()
      let owner = Owner()
      let heard = Recorder<[String]>()
      let reactor = Flask.reactor(attachedTo: owner, mixing: tally, isolation: nil)
      reactor.handler = { _, reaction in heard.append(reaction.keys) }
      await OtherThread.run {
        for _ in 0..<Self.times {
          let saved = reactor.handler
          reactor.handler = saved
        }
        tally.change { $0.prop.counter = 1 }
      }
      #expect(heard.all == [["counter"]])
      Flask.detachReactor(from: owner)
    }

    @Test func `two who read a store first, at the same time, are both told`() async {
      for round in 0..<Workload.count(200, full: 4_000) {
        let store = TallyStore()
        let dispatcher = FluxDispatcher()
        dispatcher.register(workers: [store])
        let told = [Signal(), Signal()]
        await OtherThread.run(times: 2) { number in
          withObservationTracking {
            _ = store.state.counter
          } onChange: {
            told[number].fire()
          }
        }
        Add().dispatch(with: dispatcher, isolation: nil)
        // One that is never told hangs here.
        for signal in told { await signal.wait() }
        #expect(store.state.counter == 1, "round \(round)")
      }
    }
  }
}
