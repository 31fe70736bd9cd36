@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// A middleware cancels its own effects, in whatever dispatchers it is.
@Suite(.ownFlux) struct MiddlewareEffectsTests {
  struct Clear: FluxAction {}

  private let log = Recorder<String>()
  private let go = Signal()

  private func searcher(_ name: String) -> FluxMiddleware {
    let middleware = FluxMiddleware()
    middleware.registerEffect(for: Search.self, id: "search") { [go, log] _, dispatch in
      await go.wait()
      log.append("\(name) \(Task.isCancelled)")
    }
    return middleware
  }

  @Test func `it cancels its own effects in all dispatchers, and no others`() async {
    let first = FluxDispatcher()
    let second = FluxDispatcher()
    let inner = FluxDispatcher()
    let ours = searcher("ours")
    let others = searcher("others")
    inner.register(workers: [ours])
    first.register(workers: [ours, others])
    second.register(workers: [inner])
    let receipts = [first, second].map { Search().dispatch(with: $0) }
    ours.cancelEffects(id: "search")
    go.fire()
    for receipt in receipts { await receipt.finished }
    #expect(!log.all.contains("ours false"))
    #expect(log.all.contains("others false"))
    #expect(ours.openEffects.engines.isEmpty)
  }

  @Test func `it cancels its own effects inside a handler, a composer and an effect`() async {
    struct ByHandler: FluxAction {}
    struct ByComposer: FluxAction {}
    struct ByEffect: FluxAction {}
    let dispatcher = FluxDispatcher()
    let middleware = searcher("search")
    middleware.registerHandler(for: ByHandler.self) { [weak middleware] _ in
      middleware?.cancelEffects(id: "search")
    }
    middleware.registerComposer(for: ByComposer.self) { [weak middleware] _ in
      middleware?.cancelEffects(id: "search")
      return .stop()
    }
    middleware.registerEffect(for: ByEffect.self) { [weak middleware] _, _ in
      middleware?.cancelEffects(id: "search")
    }
    dispatcher.register(workers: [middleware])
    var searches: [FluxReceipt] = []
    for action in [ByHandler(), ByComposer(), ByEffect()] as [any FluxAction] {
      searches.append(Search().dispatch(with: dispatcher))
      await action.dispatch(with: dispatcher).finished
    }
    go.fire()
    for search in searches { await search.finished }
    #expect(!log.all.contains("search false"))
    #expect(dispatcher.effects.isIdle)
  }

  @Test func `it cancels what waits, so that nothing of it begins`() async {
    let clock = ManualClock()
    let dispatcher = FluxDispatcher()
    let middleware = FluxMiddleware()
    middleware.registerEffect(for: Search.self, id: 7, pace: .debounce(.seconds(1)), clock: clock) {
      [log] _, _ in
      log.append("ran")
    }
    middleware.registerHandler(for: Clear.self) { [unowned middleware] _ in middleware.cancelEffects(id: 7) }
    dispatcher.register(workers: [middleware])
    let receipt = Search().dispatch(with: dispatcher)
    Clear().dispatch(with: dispatcher)
    await receipt.finished
    clock.advance(by: .seconds(2))
    #expect(log.all == [])
    #expect(dispatcher.effects.isIdle)
  }

  @Test func `an action that had to wait has finished when its effects have`() async {
    let dispatcher = FluxDispatcher()
    let middleware = FluxMiddleware()
    let started = Signal()
    middleware.registerEffect(for: Search.self) { [go, log] _, _ in
      started.fire()
      await go.wait()
      log.append("ran")
    }
    dispatcher.register(workers: [middleware])
    let lock = Flask.lock()
    let receipt = Search().dispatch(with: dispatcher)
    #expect(receipt.outcomeIfKnown == nil)
    lock.release()
    let waiting = Task { [log] in
      await receipt.finished
      log.append("finished")
    }
    await started.wait()
    for _ in 0..<100 { await Task.yield() }
    #expect(log.all == [])
    go.fire()
    await waiting.value
    #expect(log.all == ["ran", "finished"])
  }

  @Test func `it cancels effects of a wrapper that hands it actions`() async {
    final class Wrapper: FluxWorker {
      let middleware: FluxMiddleware
      init(_ middleware: FluxMiddleware) { self.middleware = middleware }
      func handle(_ action: any FluxAction, in pass: borrowing FluxPass) throws -> FluxNextAction {
        try middleware.handle(action, in: pass)
      }
    }
    let dispatcher = FluxDispatcher()
    let middleware = searcher("wrapped")
    dispatcher.register(workers: [Wrapper(middleware)])
    let receipt = Search().dispatch(with: dispatcher)
    middleware.cancelEffects(id: "search")
    go.fire()
    await receipt.finished
    #expect(!log.all.contains("wrapped false"))
  }

  @Test func `an effect that starts the action again is over when the middleware has cancelled it`() async {
    let dispatcher = FluxDispatcher()
    let middleware = FluxMiddleware()
    let started = Signal()
    middleware.registerEffect(for: Ping.self, id: "poll") { _, dispatch in
      started.fire()
      dispatch(Ping())
    }
    dispatcher.register(workers: [middleware])
    let receipt = Ping().dispatch(with: dispatcher)
    await started.wait()
    await OtherThread.run { middleware.cancelEffects(id: "poll") }
    await receipt.finished
    #expect(dispatcher.effects.isIdle)
  }

  @Test func `it goes with its dispatcher although it cancels its effects`() async {
    weak var gone: FluxMiddleware?
    do {
      let dispatcher = FluxDispatcher()
      let middleware = searcher("short-lived")
      gone = middleware
      middleware.registerHandler(for: Clear.self) { [weak middleware] _ in
        middleware?.cancelEffects(id: "search")
      }
      dispatcher.register(workers: [middleware])
      let receipt = Search().dispatch(with: dispatcher)
      Clear().dispatch(with: dispatcher)
      go.fire()
      await receipt.finished
    }
    await soon { gone == nil }
    #expect(gone == nil)
  }

  @Test func `an error that no one handles is a fault at the registration, with the remedy`() async {
    let dispatcher = FluxDispatcher()
    let middleware = FluxMiddleware()
    middleware.registerEffect(for: Ping.self) { _, _ in throw Oops() }; let line = UInt(#line)
    dispatcher.register(workers: [middleware])
    await Ping().dispatch(with: dispatcher).finished
    let faults = FaultLog.current.take()
    #expect(faults.map(\.line) == [line])
    #expect(
      faults.map(\.message) == [
        "an effect of FluxMiddleware for Ping threw Oops(), which has no handler; "
          + "catch it in the effect, or call `registerErrorHandler`"
      ]
    )
  }

  @Test func `a second composer or error handler names both lines, and the remedy`() {
    let middleware = FluxMiddleware()
    middleware.registerComposer(for: Ping.self) { _ in .next() }; let composer = #line
    middleware.registerComposer(for: Ping.self) { _ in .stop() }
    middleware.registerErrorHandler { _, _, _ in }; let handler = #line
    middleware.registerErrorHandler { _, _, _ in }
    let file = "FlaskActionsTests/MiddlewareEffectsTests.swift"
    let faults = FaultLog.current.take()
    #expect(faults.map(\.line) == [UInt(composer) + 1, UInt(handler) + 1])
    #expect(
      faults.map(\.message) == [
        "FluxMiddleware registers a second composer for Ping, which is left out; the first is at "
          + "\(file):\(composer). Remove one, or make one of the two",
        "FluxMiddleware registers a second error handler, which is left out; the first is at "
          + "\(file):\(handler). Remove one, or make one of the two",
      ]
    )
  }
}
