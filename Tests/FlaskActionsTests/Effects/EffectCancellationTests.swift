@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// What ends effects, and what becomes of those that do not want to end.
@Suite(.ownFlux) struct EffectCancellationTests {
  struct Clear: FluxAction {}

  private let dispatcher = FluxDispatcher()
  private let middleware = FluxMiddleware()
  private let clock = ManualClock()
  private let log = Recorder<String>()

  init() {
    dispatcher.register(workers: [
      middleware,
      ActionLog("", Recorder()) { [log] action in
        if let found = action as? Found { log.append(found.text) }
        return .next()
      },
    ])
  }

  private static let paces: [FluxEffectPace] = [
    .immediate, .debounce(.seconds(1)), .throttle(.seconds(1)),
  ]

  /// Searches with the recipe of the docs, on a clock that stands still; the first one goes on when `go` says so,
  /// cancelled or not.
  private func registerSearch(_ pace: FluxEffectPace, started: Signal, go: Signal) {
    middleware.registerEffect(for: Search.self, id: "search", policy: .latest, pace: pace, clock: clock) {
      action,
      dispatch in
      if action.text == "old" {
        started.fire()
        await go.wait()
      }
      dispatch(Found(text: action.text))
    }
  }

  @Test(arguments: paces)
  func `a stale result never comes after the next offer, whatever the pace`(pace: FluxEffectPace) async {
    let started = Signal()
    let go = Signal()
    registerSearch(pace, started: started, go: go)
    let old = Search(text: "old").dispatch(with: dispatcher)
    if case .debounce = pace {
      await clock.sleeping(1)
      clock.advance(by: .seconds(1))
    }
    await started.wait()
    let new = Search(text: "new").dispatch(with: dispatcher)
    go.fire()
    await old.finished
    #expect(!log.all.contains("old"))
    if pace != .immediate {
      await clock.sleeping(1)
      clock.advance(by: .seconds(1))
    }
    await new.finished
    #expect(log.all == ["new"])
  }

  @Test(arguments: paces)
  func `an effect of the same identifier ends what waits and what runs`(pace: FluxEffectPace) async {
    let started = Signal()
    let go = Signal()
    registerSearch(pace, started: started, go: go)
    middleware.registerEffect(for: Clear.self, id: "search", policy: .latest) { _, dispatch in
      dispatch(Found(text: "cleared"))
    }
    let first = Search(text: "old").dispatch(with: dispatcher)
    if case .debounce = pace {} else { await started.wait() }
    let second = Search(text: "old").dispatch(with: dispatcher)
    await Clear().dispatch(with: dispatcher).finished
    go.fire()
    await first.finished
    await second.finished
    #expect(log.all == ["cleared"])
    dispatcher.cancelEffects(id: "search")
    #expect(dispatcher.effects.isIdle)
  }

  @Test func `an effect that starts itself again ends when it is cancelled while its action is in progress`()
    async
  {
    struct Poll: FluxAction { var isFirst = false }
    let performing = Signal()
    let cancelled = Gate()
    let locks = Recorder<FluxLock>()
    let dispatched = Signal()
    middleware.registerEffect(for: Poll.self, id: "poll") { [log] _, dispatch in
      log.append("polled")
      locks.append(Flux.current.lock())
      dispatch(Poll())
      dispatched.fire()
    }
    dispatcher.register(workers: [
      ActionLog("", Recorder()) { action in
        guard let poll = action as? Poll, !poll.isFirst else { return .next() }
        performing.fire()
        cancelled.wait()
        return .next()
      }
    ])
    let receipt = Poll(isFirst: true).dispatch(with: dispatcher)
    await dispatched.wait()
    let performed = Task { await OtherThread.run { for lock in locks.all { lock.release() } } }
    await performing.wait()
    dispatcher.cancelEffects(id: "poll")
    cancelled.open()
    await performed.value
    for lock in locks.all { lock.release() }
    await receipt.finished
    #expect(log.all == ["polled"])
    #expect(dispatcher.effects.isIdle)
  }

  @Test func `a cancellation holds for who asks for it while another thread is executing it`() async {
    let told = [Signal(), Signal()]
    let cancelling = Signal()
    let go = Gate()
    let finish = Signal()
    let end = Signal()
    let dispatched = Signal()
    middleware.registerEffect(for: Search.self, id: "x") { _, _ in
      // Cancelled first; who cancels it is held up.
      await withTaskCancellationHandler {
        told[0].fire()
        await end.wait()
      } onCancel: {
        cancelling.fire()
        go.wait()
      }
    }
    middleware.registerEffect(for: Search.self, id: "x") { _, dispatch in
      told[1].fire()
      await finish.wait()
      dispatch(Found(text: "late"))
      dispatched.fire()
    }
    let receipt = Search().dispatch(with: dispatcher)
    for signal in told { await signal.wait() }
    let other = Task { [dispatcher] in await OtherThread.run { dispatcher.cancelEffects(id: "x") } }
    await cancelling.wait()
    dispatcher.cancelEffects(id: "x")
    finish.fire()
    await dispatched.wait()
    go.open()
    await other.value
    end.fire()
    await receipt.finished
    #expect(log.all == [])
  }

  @Test func `a queue waits for one that ignores its cancellation, others do not`() async {
    let started = Signal()
    let go = Signal()
    for (id, policy) in FluxEffectPolicy.allCases.enumerated() {
      middleware.registerEffect(for: Search.self, id: id, policy: policy) { action, dispatch in
        guard action.text == "stubborn" else { return _ = dispatch(Found(text: "\(policy)")) }
        started.fire()
        await go.wait()
        dispatch(Found(text: "stubborn"))
      }
    }
    let first = Search(text: "stubborn").dispatch(with: dispatcher)
    await started.wait()
    for id in 0..<4 { dispatcher.cancelEffects(id: id) }
    let second = Search(text: "next").dispatch(with: dispatcher)
    #expect(second.outcomeIfKnown?.description == "unchanged")
    go.fire()
    await first.finished
    await second.finished
    #expect(log.all.sorted() == ["concurrent", "exhaust", "latest", "queue"])
    #expect(dispatcher.effects.isIdle)
  }

  @Test func `a clock that throws ends the wait`() async {
    middleware.registerEffect(for: Search.self, pace: .debounce(.seconds(1)), clock: BrokenClock()) {
      action,
      dispatch in
      dispatch(Found(text: action.text))
    }
    await Search(text: "x").dispatch(with: dispatcher).finished
    #expect(log.all == ["x"])
  }

  @Test func `a clock can cancel effects`() async {
    let clock = MeddlingClock { [dispatcher] in dispatcher.cancelEffects(id: "y") }
    middleware.registerEffect(for: Search.self, id: "x", pace: .debounce(.seconds(1)), clock: clock) {
      action,
      dispatch in
      dispatch(Found(text: action.text))
    }
    await Search(text: "x").dispatch(with: dispatcher).finished
    #expect(log.all == ["x"])
  }

  @Test func `a body can lock, mix and cancel itself`() async {
    let store = TallyStore()
    dispatcher.register(workers: [store])
    middleware.registerEffect(for: Search.self, id: "x") {
      [log, unowned middleware, unowned dispatcher] _, dispatch in
      let lock = Flux.current.lock()
      let receipt = dispatch(Add())
      let look = Flux.current.performInFluxQueue { log.append("\(store.state.counter)") }
      #expect(receipt.outcomeIfKnown == nil)
      lock.release()
      _ = await receipt.outcome
      _ = await look.outcome
      dispatcher.cancelEffects(id: "y")
      middleware.cancelEffects(id: "x")
      log.append("\(Task.isCancelled)")
      dispatch(Found(text: "late"))
    }
    await Search().dispatch(with: dispatcher).finished
    #expect(log.all == ["1", "true"])
    #expect(dispatcher.effects.isIdle)
  }

  @Test func `an error of a cancelled effect is no fault`() async {
    let started = Signal()
    middleware.registerEffect(for: Search.self, id: "x") { [clock] _, _ in
      started.fire()
      do { try await clock.sleep(for: .seconds(1)) } catch { throw Oops() }
    }
    let receipt = Search().dispatch(with: dispatcher)
    await started.wait()
    dispatcher.cancelEffects(id: "x")
    await receipt.finished
    #expect(FaultLog.takeKinds() == [])
  }

  @Test func `an effect of an action that unregisters its middleware never begins`() async {
    middleware.registerEffect(for: Search.self) { [log] _, _ in log.append("ran") }
    dispatcher.register(workers: [
      ActionLog("", Recorder()) { [unowned dispatcher, unowned middleware] _ in
        dispatcher.unregister(workers: [middleware])
        return .next()
      }
    ])
    await Search().dispatch(with: dispatcher).finished
    #expect(log.all == [])
    #expect(dispatcher.effects.isIdle)
  }
}

/// Throws at once.
private struct BrokenClock: Clock {
  typealias Instant = ManualClock.Instant

  var now: Instant { Instant() }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws { throw Oops() }
}

/// Calls a closure whenever it is asked.
private struct MeddlingClock: Clock {
  typealias Instant = ManualClock.Instant

  let meddle: @Sendable () -> Void

  var now: Instant {
    meddle()
    return Instant()
  }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws { meddle() }
}
