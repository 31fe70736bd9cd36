@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// Many effects made, run, cancelled and dropped: nothing is left.
@Suite(.ownFlux) struct EffectLifetimeTests {
  struct Work: FluxAction { let token: LastWords? }

  private static let count = Workload.count(2_000, full: 100_000)

  @Test(arguments: FluxEffectPolicy.allCases)
  func `effects that ran leave nothing`(policy: FluxEffectPolicy) async {
    let dispatcher = FluxDispatcher()
    let middleware = FluxMiddleware()
    let gone = Recorder<Void>()
    middleware.registerEffect(for: Work.self, id: "x", policy: policy) { _, _ in }
    dispatcher.register(workers: [middleware])
    for _ in 0..<Self.count {
      Work(token: LastWords { gone.append(()) }).dispatch(with: dispatcher)
    }
    await Work(token: nil).dispatch(with: dispatcher).finished
    while !dispatcher.effects.isIdle { await Task.yield() }
    while gone.count < Self.count { await Task.yield() }
    #expect(middleware.openEffects.engines.isEmpty)
  }

  @Test(arguments: FluxEffectPolicy.allCases)
  func `effects that were cancelled leave nothing, whatever they waited for`(policy: FluxEffectPolicy) async {
    let clock = ManualClock()
    let dispatcher = FluxDispatcher()
    let middleware = FluxMiddleware()
    let gone = Recorder<Void>()
    let paces: [FluxEffectPace] = [.immediate, .debounce(.seconds(1)), .throttle(.seconds(1))]
    for pace in paces {
      middleware.registerEffect(for: Work.self, id: "x", policy: policy, pace: pace, clock: clock) { _, _ in }
    }
    dispatcher.register(workers: [middleware])
    for _ in 0..<Self.count / 4 {
      Work(token: LastWords { gone.append(()) }).dispatch(with: dispatcher)
    }
    let receipt = Work(token: nil).dispatch(with: dispatcher)
    dispatcher.cancelEffects(id: "x")
    await receipt.finished
    while !dispatcher.effects.isIdle { await Task.yield() }
    while gone.count < Self.count / 4 { await Task.yield() }
    #expect(dispatcher.effects.timerCount == 0)
  }

  @Test func `identifiers, middleware and dispatchers that were used once leave nothing`() async {
    let clock = ManualClock()
    let gone = Recorder<Void>()
    let count = Self.count / 2
    let lasting = FluxMiddleware()
    lasting.registerEffect(for: Work.self, pace: .debounce(.seconds(1)), clock: clock) { _, _ in }
    for number in 0..<count {
      let dispatcher = FluxDispatcher()
      let middleware = FluxMiddleware()
      let id = EffectIdentifierTests.Mortal("\(number)") { gone.append(()) }
      middleware.registerEffect(for: Work.self, id: id, pace: .throttle(.seconds(1)), clock: clock) {
        [unowned middleware] _, _ in
        middleware.cancelEffects(id: number)
      }
      dispatcher.register(workers: [middleware, lasting])
      Work(token: nil).dispatch(with: dispatcher)
      dispatcher.cancelEffects(id: number)
    }
    while gone.count < count { await Task.yield() }
    while !lasting.openEffects.engines.isEmpty { await Task.yield() }
  }

  @Test func `a dispatcher with waiting effects goes, and takes them along`() async {
    let clock = ManualClock()
    weak var gone: FluxDispatcher?
    weak var goneMiddleware: FluxMiddleware?
    let receipt: FluxReceipt
    do {
      let dispatcher = FluxDispatcher()
      let middleware = FluxMiddleware()
      gone = dispatcher
      goneMiddleware = middleware
      middleware.registerEffect(for: Work.self, id: "x", pace: .debounce(.seconds(1)), clock: clock) {
        [unowned middleware] _, _ in
        middleware.cancelEffects(id: "x")
      }
      dispatcher.register(workers: [middleware])
      receipt = Work(token: nil).dispatch(with: dispatcher)
    }
    #expect(gone == nil)
    #expect(goneMiddleware == nil)
    await receipt.finished
  }

  @Test func `dispatchers close while effects start and are cancelled on other threads`() async {
    let middleware = FluxMiddleware()
    for id in 0..<3 {
      middleware.registerEffect(for: Work.self, id: id, policy: .latest) { _, dispatch in
        await Task.yield()
        dispatch(Ping())
      }
    }
    let receipts = Recorder<FluxReceipt>()
    // An action is left without an answer if its dispatcher is closed before its turn.
    let flux = Flux(expecting: .actionWithoutAnswer)
    await OtherThread.run(times: 4) { thread in
      for number in 0..<Workload.count(100, full: 10_000) {
        let dispatcher = Flux.$current.withValue(flux) { FluxDispatcher() }
        dispatcher.register(workers: [middleware])
        receipts.append(Work(token: nil).dispatch(with: dispatcher, isolation: nil))
        middleware.cancelEffects(id: number % 3)
        if thread == 0 { dispatcher.unregisterAll() }
      }
    }
    for receipt in receipts.take() { await receipt.finished }
    while !middleware.openEffects.engines.isEmpty { await Task.yield() }
  }
}
