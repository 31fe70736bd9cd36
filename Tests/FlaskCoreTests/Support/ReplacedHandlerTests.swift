import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Closures that are read and set again, and readers that come first at the same time.
@Suite(.ownFlux) struct ReplacedHandlerTests {
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

  /// How many bytes of stack lie between a call and the closure that it leads to: once the closure was read and set
  /// again, and once that was done many times. A thunk for each time would make the second one larger.
  private func depths(
    setAgain: () -> Void,
    call: () -> Void,
    reached: Recorder<Int>,
    prepare: () -> Void = {}
  ) -> [Int] {
    [1, 200].map { times in
      prepare()
      for _ in 0..<times { setAgain() }
      let here = StackDepth.here
      call()
      return reached.take().first.map { here - $0 } ?? -1
    }
  }

  @Test func `the handler of all faults is called as directly after it was read and set again`() {
    let before = Flask.onFault
    defer { Flask.onFault = before }
    let reached = Recorder<Int>()
    Flask.onFault = { _ in reached.append(StackDepth.here) }
    let fault = FlaskFault(.unknownKey, "none", fileID: "Test", line: 1)
    let depths = depths(
      setAgain: { Flask.onFault = Flask.onFault },
      call: { Flask.onFault(fault) },
      reached: reached
    )
    #expect(depths[0] > 0 && depths[0] == depths[1])
  }

  @Test func `so are the handler of a flux, of a lock and of a reactor`() {
    let reached = Recorder<Int>()
    let flux = Flux()
    flux.onFault = { _ in reached.append(StackDepth.here) }
    let ofFlux = depths(
      setAgain: { flux.onFault = flux.onFault },
      call: { flux.report(.unknownKey, "none", at: SourcePlace("", 1)) },
      reached: reached
    )
    #expect(ofFlux[0] > 0 && ofFlux[0] == ofFlux[1])

    var lock = flux.lock()
    let ofLock = depths(
      setAgain: { lock.onRelease = lock.onRelease },
      call: { lock.release(isolation: nil) },
      reached: reached,
      prepare: {
        lock = flux.lock()
        lock.onRelease = { _ in reached.append(StackDepth.here) }
      }
    )
    #expect(ofLock[0] > 0 && ofLock[0] == ofLock[1])

    let tally = Substance<Tally>()
    let owner = Owner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: tally, isolation: nil)
    reactor.handler = { _, _ in reached.append(StackDepth.here) }
    let ofReactor = depths(
      setAgain: { reactor.handler = reactor.handler },
      call: { tally.change { $0.prop.counter += 1 } },
      reached: reached
    )
    #expect(ofReactor[0] > 0 && ofReactor[0] == ofReactor[1])
    Flask.detachReactor(from: owner)
  }
}
