import TestSupport
import Testing

@testable import FlaskActions
@testable import FlaskCore
@testable import KernelFixtures
@testable import ActionFixtures

/// Faults of actions that are reported once for each type, and of definitions outside of their place.
@Suite(.ownFlux) struct ActionFaultsTests {
  @Test func `an action without an answer is a fault once for each type`() {
    struct Unanswered: FluxAction {}
    let dispatcher = FluxDispatcher()
    for _ in 1...3 { Unanswered().dispatch(with: dispatcher) }
    #expect(FaultLog.takeKinds() == .inDebugBuilds(.actionWithoutAnswer))
  }

  @Test
  func `define of an action outside defineMixers, from another thread while a mixer runs, is a fault`() async
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
      for _ in 0..<50 { caller.define(mix: Add.self) { _ in } }
      if number == 0 { mayGo.open() }
    }
    await mixing
    #expect(FaultLog.takeKinds() == Array(repeating: .defineOutsideDefineMixers, count: 200))
  }
}
