import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Promises 1 to 3 of the flux: in order, at once when it can, run to completion.
@Suite(.ownFlux) struct FluxOrderTests {
  @Test func `the new state is there to read after a mix on an idle flux`() {
    let tally = Watched<Tally>()
    tally.mix { $0.prop.counter = 5 }
    #expect(tally.substance.state.counter == 5)
    #expect(tally.heard.all == [["counter"]])
  }

  @Test func `a mix on a busy flux waits and the call returns`() async {
    let tally = Watched<Tally>()
    let flux = Flux.current
    let (isIn, mayGo) = (Signal(), Gate())
    async let first: Void = OtherThread.run {
      tally.mix { _ in
        isIn.fire()
        mayGo.wait()
      }
    }
    await isIn.wait()
    let receipt = tally.mix { $0.prop.counter = 1 }
    #expect(receipt.outcomeIfKnown == nil)
    #expect(tally.substance.state.counter == 0)
    #expect(flux.waitingCount == 1)
    mayGo.open()
    await first
    #expect(await receipt.outcome.description == "committed(counter)")
  }

  @Test func `who drains the queue performs what waits`() async {
    let tally = Watched<Tally>()
    let (isIn, mayGo) = (Signal(), Gate())
    let threads = Recorder<UInt>()
    async let drainer: UInt = OtherThread.run {
      tally.mix { _ in
        isIn.fire()
        mayGo.wait()
      }
      return ThreadIdentity.current
    }
    await isIn.wait()
    tally.mix { _ in threads.append(ThreadIdentity.current) }
    mayGo.open()
    let identity = await drainer
    #expect(threads.all == [identity])
  }

  @Test func `operations of several threads are performed in the order of their submission`() async {
    let tally = Watched<Tally>()
    let lock = Flask.lock()
    for number in 0..<8 {
      await OtherThread.run {
        tally.mix { $0.prop.text += "\(number)" }
        return
      }
    }
    #expect(tally.substance.state.text == "")
    lock.release()
    #expect(tally.substance.state.text == "01234567")
    #expect(tally.heard.count == 8)
  }

  @Test func `each thread's own mixes stay in order among those of four threads`() async {
    let log = Recorder<(thread: Int, number: Int)>()
    let tally = Watched<Tally>()
    await OtherThread.run(times: 4) { thread in
      for number in 0..<500 { tally.mix { _ in log.append((thread, number)) } }
    }
    _ = await tally.mix { _ in }.outcome
    for thread in 0..<4 {
      #expect(log.all.filter { $0.thread == thread }.map(\.number) == Array(0..<500))
    }
  }

  @Test func `mixes, mixers and closures share one order`() {
    let log = Recorder<String>()
    let clerk = Clerk(log: log)
    let reactor = Flask.reactor(attachedTo: log, mixing: [clerk])
    let lock = Flask.lock()
    reactor.mix(clerk) { _ in log.append("mix") }.react()
    Flask.performInFluxQueue { log.append("closure") }
    Flask.substances(reactTo: ClerkMixers.note)
    reactor.mix(clerk) { _ in log.append("mix") }.react()
    #expect(log.all == [])
    lock.release()
    #expect(log.all == ["mix", "closure", "mixer", "mix"])
  }

  @Test func `a mix submitted inside a mix is performed after the reactions of the outer one`() {
    let tally = Watched<Tally>()
    let log = Recorder<String>()
    let late = Flask.reactor(attachedTo: log, mixing: [tally.substance]) { log, reaction in
      log.append("heard " + reaction.keys.joined())
    }
    tally.mix { substance in
      tally.mix {
        log.append("inner")
        $0.prop.text = "x"
      }
      log.append("outer")
      substance.prop.counter = 1
    }
    #expect(log.all == ["outer", "heard counter", "inner", "heard text"])
    late.unbind()
  }

  @Test func `a mix submitted inside a reaction is performed after all reactors have heard the first`() {
    let tally = Watched<Tally>()
    let log = Recorder<String>()
    let first = Flask.reactor(attachedTo: log, mixing: [tally.substance]) { log, reaction in
      log.append("first " + reaction.keys.joined())
      reaction.on(Tally.prop.counter) { _ in tally.mix { $0.prop.text = "x" } }
      log.append("first done")
    }
    let second = Flask.reactor(attachedTo: log, mixing: [tally.substance]) { log, reaction in
      log.append("second " + reaction.keys.joined())
    }
    tally.mix { $0.prop.counter = 1 }
    #expect(
      log.all == [
        "first counter", "first done", "second counter", "first text", "first done", "second text",
      ]
    )
    first.unbind()
    second.unbind()
  }

  @Test func `a nested mix is performed before the outermost call returns`() {
    let tally = Watched<Tally>()
    tally.mix { outer in
      outer.prop.counter = 1
      tally.mix { middle in
        middle.prop.counter += 1
        tally.mix { $0.prop.counter += 1 }
      }
    }
    #expect(tally.substance.state.counter == 3)
  }

  @Test func `a long chain of mixes, each from the reaction to the last, needs no stack`() async {
    let count = Workload.count(100_000, full: 1_000_000)
    let done = Signal()
    let order = Order()
    let tally = Substance<Tally>()
    let owner = Owner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [tally])
    reactor.handler = { [weak reactor] _, reaction in
      reaction.on(\Tally.counter) { change in
        order.check(change.old, change.new)
        if change.new == count { return done.fire() }
        reactor?.mix(tally) { $0.prop.counter += 1 }.react(isolation: nil)
      }
    }
    await OtherThread.run(stack: 512 * 1024) {
      reactor.mix(tally) { $0.prop.counter += 1 }.react(isolation: nil)
      return
    }
    await done.wait()
    #expect(tally.state.counter == count)
    #expect(order.steps == count)
    #expect(order.isKept)
    #expect(FaultLog.takeKinds() == [.endlessReaction])
  }

  @Test func `no thread drains more than a batch`() async {
    let tally = Watched<Tally>()
    let threads = Recorder<UInt>()
    let lock = Flask.lock()
    for _ in 0..<3000 { tally.mix { _ in threads.append(ThreadIdentity.current) } }
    let last = tally.mix { _ in }
    let releaser = await OtherThread.run {
      lock.release()
      return ThreadIdentity.current
    }
    _ = await last.outcome
    #expect(threads.count == 3000)
    #expect(threads.all.prefix(1024).allSatisfy { $0 == releaser })
    #expect(!threads.all.dropFirst(1024).contains(releaser))
  }

  @Test func `a closure performed in the flux queue may mix`() {
    let tally = Watched<Tally>()
    let receipt = Flask.performInFluxQueue {
      tally.mix { $0.prop.counter = 1 }
      #expect(tally.substance.state.counter == 0)
    }
    #expect(receipt.outcomeIfKnown?.description == "unchanged")
    #expect(tally.substance.state.counter == 1)
  }
}
