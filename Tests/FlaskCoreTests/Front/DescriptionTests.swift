import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Descriptions of public values, and faults that are reported once for each type.
@Suite(.ownFlux) struct DescriptionTests {
  private let tally = Watched<Tally>()

  @Test func `changes, reactions, receipts, outcomes and locks say what they are`() async {
    let lines = Recorder<String>()
    let named = Watched(Substance<Tally>(name: "tally"))
    named.reactor.handler = { _, reaction in
      lines.append("\(reaction)")
      reaction.on("counter") { lines.append("\($0)") }
      reaction.on("maybe") { lines.append("\($0)") }
      reaction.on(\Tally.counter) { lines.append("\($0)") }
    }
    let receipt = named.mix {
      $0.prop.counter = 1; $0.prop.maybe = 4
    }
    lines.append("\(receipt)")
    lines.append("\(await receipt.outcome)")
    let lock = Flask.lock(); let line = #line
    let waiting = named.mix { $0.prop.counter = 2 }
    lines.append("\(waiting)")
    #expect("\(lock)" == "FluxLock(FlaskCoreTests/DescriptionTests.swift:\(line), held)")
    Flask.purgeFluxQueue()
    lines.append("\(waiting)")
    lock.release()
    #expect("\(lock)" == "FluxLock(FlaskCoreTests/DescriptionTests.swift:\(line), released)")
    lines.append("\(named.mix { _ in })")
    lines.append("\(named.mix { _ in throw Oops() })")
    #expect(
      lines.all.joined(separator: "\n") == """
        FlaskReaction(tally: counter, maybe)
        counter: 0 → 1
        maybe: nil → 4
        0 → 1
        FluxReceipt(committed(counter, maybe))
        committed(counter, maybe)
        FluxReceipt(waiting)
        FluxReceipt(purged)
        FluxReceipt(unchanged)
        FluxReceipt(failed(Oops()))
        """
    )
  }

  @Test func `asked for as Any, an absent optional is nil, and a present one is its value`() {
    let olds = Recorder<Bool>()
    let news = Recorder<String>()
    tally.reactor.handler = { _, reaction in
      reaction.on(Tally.prop.maybe) { change in
        let old: Any? = change.oldValue()
        let new: Any? = change.newValue()
        olds.append(old == nil)
        news.append(new.map { "\($0)" } ?? "nil")
      }
    }
    tally.mix { $0.prop.maybe = 4 }
    tally.mix { $0.prop.maybe = nil }
    #expect(olds.all == [true, false])
    #expect(news.all == ["4", "nil"])
  }

  @Test
  func
    `an owner without reactions and a mixer without a definition are a fault once each`()
  {
    enum Nobody: SubstanceMixer { case one, two }
    let mute = Mute()
    let reactor = Flask.attachReactor(to: mute, mixing: tally.substance)
    for _ in 1...3 {
      reactor.mix(tally.substance) { $0.prop.counter += 1 }.react()
      Flask.substances(reactTo: Nobody.one)
      Flask.applyMixer(Nobody.two)
    }
    #expect(
      FaultLog.takeKinds()
        == [.reactionsNotImplemented] + .inDebugBuilds(.mixerWithoutSubstance)
    )
  }

  @Test
  func `define outside defineMixers, from another thread while a mixer runs, is a fault and nothing worse`()
    async
  {
    let isIn = Gate()
    let mayGo = Gate()
    let caller = Caller {
      isIn.open()
      mayGo.wait()
    }
    async let mixing: Void = OtherThread.run { [flux = Flux.current] in
      _ = flux.apply(MixerKey(CallerMixers.call), payload: nil, with: MixOptions(nil, "", 0))
    }
    await OtherThread.run(times: 4) { number in
      isIn.wait()
      for _ in 0..<50 {
        caller.define(mix: .call) { _, react, _ in react() }
      }
      if number == 0 { mayGo.open() }
    }
    await mixing
    #expect(FaultLog.takeKinds() == Array(repeating: .defineOutsideDefineMixers, count: 200))
  }
}
