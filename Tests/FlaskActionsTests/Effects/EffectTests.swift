@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

@Suite(.ownFlux) struct EffectTests {
  private let dispatcher = FluxDispatcher()
  private let log = Recorder<String>()

  /// A middleware with one effect, and a worker that writes down what comes back.
  private func middleware(
    _ policy: FluxEffectPolicy = .concurrent,
    pace: FluxEffectPace = .immediate,
    clock: any Clock<Duration> = ContinuousClock(),
    _ effect: @escaping @Sendable (Search, FluxEffectDispatch) async throws -> Void
  ) -> FluxMiddleware {
    let middleware = FluxMiddleware()
    middleware.registerEffect(
      for: Search.self,
      id: "search",
      policy: policy,
      pace: pace,
      clock: clock,
      effect
    )
    dispatcher.register(workers: [
      middleware,
      ActionLog("", Recorder()) { [log] action in
        if let found = action as? Found { log.append(found.text) }
        return .next()
      },
    ])
    return middleware
  }

  @Test func `finished waits for the effects of an action, and for theirs`() async {
    _ = middleware { action, dispatch in
      await Task.yield()
      if action.text.count < 3 { dispatch(Search(text: action.text + "x")) }
      dispatch(Found(text: action.text))
    }
    await Search(text: "x").dispatch(with: dispatcher).finished
    #expect(log.all.sorted() == ["x", "xx", "xxx"])
  }

  @Test func `an effect sees the state that its action made`() async {
    let store = TallyStore()
    let middleware = FluxMiddleware()
    middleware.registerEffect(for: Add.self) { [log] _, _ in log.append("\(store.state.counter)") }
    dispatcher.register(workers: [middleware, store])
    await Add().dispatch(with: dispatcher).finished
    #expect(log.all == ["1"])
  }

  @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
  @Test @MainActor func `who awaits an effect on the main actor resumes after the observers there`() async {
    let store = TallyStore()
    _ = middleware { _, dispatch in dispatch(Add()) }
    dispatcher.register(workers: [store])
    let token = store.observe(\.counter) { [log] _, new in log.append("\(new)") }
    for round in 1...200 {
      await Search().dispatch(with: dispatcher).finished
      #expect(log.all.count == round)
    }
    withExtendedLifetime(token) {}
  }

  @Test func `an action that fails starts no effect`() async {
    _ = middleware { [log] _, _ in log.append("ran") }
    dispatcher.register(workers: [ActionLog("", Recorder()) { _ in throw Oops() }])
    await Search().dispatch(with: dispatcher).finished
    #expect(log.all == [])
  }

  @Test func `the latest cancels the one before`() async {
    let started = Signal()
    let clock = ManualClock()
    _ = middleware(.latest) { action, dispatch in
      if action.text == "a" {
        started.fire()
        try? await clock.sleep(for: .seconds(1))
      }
      dispatch(Found(text: action.text))
    }
    let first = Search(text: "a").dispatch(with: dispatcher)
    await started.wait()
    await Search(text: "b").dispatch(with: dispatcher).finished
    await first.finished
    #expect(log.all == ["b"])
  }

  @Test func `an exhausting one ignores those that come while it runs`() async {
    let go = Signal()
    _ = middleware(.exhaust) { action, dispatch in
      await go.wait()
      dispatch(Found(text: action.text))
    }
    let first = Search(text: "a").dispatch(with: dispatcher)
    await Search(text: "b").dispatch(with: dispatcher).finished
    go.fire()
    await first.finished
    await Search(text: "c").dispatch(with: dispatcher).finished
    #expect(log.all == ["a", "c"])
  }

  @Test func `a queue runs one after the other`() async {
    let go = Signal()
    _ = middleware(.queue) { [log] action, dispatch in
      log.append("start \(action.text)")
      await go.wait()
      dispatch(Found(text: action.text))
    }
    let receipts = ["a", "b", "c"].map { Search(text: $0).dispatch(with: dispatcher) }
    go.fire()
    for receipt in receipts { await receipt.finished }
    #expect(log.all == ["start a", "a", "start b", "b", "start c", "c"])
  }

  @Test func `a debounced effect runs for the last action, after the span`() async {
    let clock = ManualClock()
    _ = middleware(pace: .debounce(.seconds(1)), clock: clock) { action, dispatch in
      dispatch(Found(text: action.text))
    }
    let first = Search(text: "a").dispatch(with: dispatcher)
    let last = Search(text: "b").dispatch(with: dispatcher)
    await first.finished
    await clock.sleeping(1)
    #expect(log.all == [])
    clock.advance(by: .seconds(1))
    await last.finished
    #expect(log.all == ["b"])
  }

  @Test func `a throttled effect runs at once, and for the last one at the end of the span`() async {
    let clock = ManualClock()
    _ = middleware(pace: .throttle(.seconds(1)), clock: clock) { action, dispatch in
      dispatch(Found(text: action.text))
    }
    await Search(text: "a").dispatch(with: dispatcher).finished
    let second = Search(text: "b").dispatch(with: dispatcher)
    let third = Search(text: "c").dispatch(with: dispatcher)
    await second.finished
    await clock.sleeping(1)
    #expect(log.all == ["a"])
    clock.advance(by: .seconds(1))
    await third.finished
    #expect(log.all == ["a", "c"])
  }

  @Test func `cancelled effects dispatch nothing any more`() async {
    let started = Signal()
    let go = Signal()
    _ = middleware { [log] action, dispatch in
      started.fire()
      await go.wait()
      log.append("\(Task.isCancelled)")
      dispatch(Found(text: "late"))
    }
    let receipt = Search().dispatch(with: dispatcher)
    await started.wait()
    dispatcher.cancelEffects(id: "search")
    go.fire()
    await receipt.finished
    #expect(log.all == ["true"])
  }

  @Test func `an action that an effect dispatched before its cancellation is not begun after it`() async {
    let dispatched = Signal()
    let lock = Recorder<FluxLock>()
    _ = middleware { action, dispatch in
      lock.append(Flux.current.lock())
      dispatch(Found(text: "late"))
      dispatched.fire()
    }
    let receipt = Search().dispatch(with: dispatcher)
    await dispatched.wait()
    dispatcher.cancelEffects(id: "search")
    for lock in lock.all { lock.release() }
    await receipt.finished
    #expect(log.all == [])
  }

  @Test func `identifiers belong to the dispatcher`() async {
    let other = FluxDispatcher()
    let go = Signal()
    let middleware = middleware(.latest) { action, dispatch in
      await go.wait()
      dispatch(Found(text: action.text))
    }
    other.register(workers: [middleware])
    let first = Search(text: "a").dispatch(with: dispatcher)
    let second = Search(text: "b").dispatch(with: other)
    other.cancelEffects(id: "search")
    go.fire()
    await first.finished
    await second.finished
    #expect(log.all == ["a"])
  }

  @Test func `effects are cancelled when the middleware is unregistered, and it goes when they have ended`()
    async
  {
    let started = Signal()
    let clock = ManualClock()
    var held: FluxMiddleware? = middleware { [log] _, _ in
      started.fire()
      try? await clock.sleep(for: .seconds(1))
      log.append("\(Task.isCancelled)")
    }
    weak let middleware = held
    let receipt = Search().dispatch(with: dispatcher)
    await started.wait()
    if let taken = held.take() { dispatcher.unregister(workers: [taken]) }
    await receipt.finished
    #expect(log.all == ["true"])
    await soon { middleware == nil }
    #expect(middleware == nil)
  }

  @Test func `effects are cancelled when the dispatcher goes`() async {
    let started = Signal()
    let clock = ManualClock()
    var dispatcher: FluxDispatcher? = FluxDispatcher()
    let middleware = FluxMiddleware()
    middleware.registerEffect(for: Search.self) { _, _ in
      started.fire()
      try? await clock.sleep(for: .seconds(1))
    }
    dispatcher?.register(workers: [middleware])
    let receipt = Search().dispatch(with: dispatcher)
    await started.wait()
    dispatcher = nil
    await receipt.finished
    #expect(clock.now.offset == .zero)
  }

  @Test func `an error reaches the handler`() async {
    let middleware = middleware { _, _ in throw Oops() }
    middleware.registerErrorHandler { error, action, dispatch in
      dispatch(Found(text: "\(error) of \(action)"))
    }
    await Search(text: "a").dispatch(with: dispatcher).finished
    #expect(log.all == [#"Oops() of Search(text: "a")"#])
  }

  @Test func `an error that no one handles is a fault`() async {
    _ = middleware { _, _ in throw Oops() }
    await Search().dispatch(with: dispatcher).finished
    #expect(FaultLog.takeKinds() == [.effectFailed])
  }
}
