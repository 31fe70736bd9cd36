import Testing

@testable import FlaskCore

extension Hardening {
  /// Closures that are read and set again.
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
  }
}
