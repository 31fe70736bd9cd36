@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Effects and others that wait for what they have dispatched.
@Suite(.ownFlux) struct AwaitingEffectsTests {
  private struct Begin: FluxAction {}
  private struct Next: FluxAction { var number = 0 }

  private let log = Recorder<String>()
  private let go = Signal()
  private let dispatcher = FluxDispatcher()
  private let middleware = FluxMiddleware()

  init() { dispatcher.register(workers: [middleware]) }

  @Test func `an effect waits for what it has dispatched, with its effects, and not for itself`() async {
    middleware.registerEffect(for: Begin.self) { [log] _, dispatch in
      await dispatch(Next()).finished
      log.append("next has ended")
    }
    middleware.registerEffect(for: Next.self) { [log, go] action, dispatch in
      if action.number == 0 { return _ = dispatch(Next(number: 1)) }
      await go.wait()
      log.append("its effects have ended")
    }
    let receipt = Begin().dispatch(with: dispatcher)
    go.fire()
    await receipt.finished
    #expect(log.all == ["its effects have ended", "next has ended"])
  }

  @Test func `who waits behind a lock continues when its task is cancelled`() async {
    middleware.registerHandler(for: Begin.self) { _ in }
    let lock = Flux.current.lock()
    let receipt = Begin().dispatch(with: dispatcher)
    let waiting = Task { await receipt.finished }
    waiting.cancel()
    await waiting.value
    #expect(receipt.outcomeIfKnown == nil)
    lock.release()
    await receipt.finished
    #expect(receipt.outcomeIfKnown != nil)
  }

  @Test func `two effects of one action wait each for its own`() async {
    for name in ["a", "b"] {
      middleware.registerEffect(for: Begin.self) { [log] _, dispatch in
        await dispatch(Next()).finished
        log.append(name)
      }
    }
    middleware.registerEffect(for: Next.self) { _, _ in await Task.yield() }
    await Begin().dispatch(with: dispatcher).finished
    #expect(log.all.sorted() == ["a", "b"])
  }

  @Test(arguments: [true, false])
  func `a chain of effects ends with the last one, whether each waits for the next or not`(isAwaited: Bool)
    async
  {
    middleware.registerEffect(for: Next.self) { [log] action, dispatch in
      if action.number == 300 { return log.append("last") }
      let receipt = dispatch(Next(number: action.number + 1))
      if isAwaited {
        await receipt.finished
        log.append("\(action.number)")
      }
    }
    await Next().dispatch(with: dispatcher).finished
    #expect(log.all == ["last"] + (isAwaited ? (0..<300).reversed().map { "\($0)" } : []))
  }

  @Test func `a chain of effects whose receipts no one has counts in the first tracker`() {
    let first = ActionTracker()
    let followUp = ActionFollowUp(tracker: first)
    var last = first
    for _ in 0..<1_000 { last = ActionTracker(in: last) }
    last.leave()
    first.leave()
    withExtendedLifetime(followUp) {}
    #expect(last.depth == 1)
  }

  // MARK: What went wrong

  @Test func `an action that went wrong is distinguished from one that changed nothing`() async {
    struct Thrown: Error, Equatable { let by: String }
    struct Nobody: FluxAction {}
    struct Quiet: FluxAction {}
    struct Reduced: FluxAction {}
    final class Store: FluxStore<Int>, @unchecked Sendable {
      init() {
        super.init(initialState: 0)
        registerReducer(for: Reduced.self) { _, _ in throw Thrown(by: "reducer") }
      }
    }
    dispatcher.register(workers: [Store()])
    middleware.registerErrorHandler { _, _, _ in }
    middleware.registerEffect(for: Quiet.self) { _, _ in }
    middleware.registerEffect(for: Begin.self) { _, dispatch in _ = dispatch(Next()) }
    middleware.registerEffect(for: Next.self) { _, _ in throw Thrown(by: "effect") }
    #expect(await Quiet().dispatch(with: dispatcher).failure == nil)
    #expect(await Begin().dispatch(with: dispatcher).failure as? Thrown == Thrown(by: "effect"))
    #expect(await Reduced().dispatch(with: dispatcher).failure as? Thrown == Thrown(by: "reducer"))
    #expect(await (Nobody().dispatch(with: dispatcher).failure as? UnansweredAction)?.type == Nobody.self)
    let lock = Flux.current.lock()
    let waiting = Nobody().dispatch(with: dispatcher)
    lock.release()
    #expect(await waiting.failure is UnansweredAction)
    #if DEBUG
      #expect(FaultLog.takeKinds() == [.actionWithoutAnswer])
    #endif
  }

  /// The failure is the same in a release build, in which the fault for an unanswered action is not reported.
  @Test("An action that only a worker of the client's own handles is answered")
  func ownWorker() async {
    struct Ping: FluxAction {}
    final class Own: FluxWorker {
      func handle(_ action: any FluxAction, in pass: borrowing FluxPass) throws -> FluxNextAction { .next() }
    }
    let dispatcher = FluxDispatcher()
    dispatcher.register(workers: [Own()])
    #expect(await Ping().dispatch(with: dispatcher).failure == nil)
  }

  // MARK: Cancelled

  @Test func `who waits for an action is resumed when it is cancelled, and the effect continues`() async {
    middleware.registerEffect(for: Begin.self) { [log, go] _, _ in
      await go.wait()
      log.append("ended, \(Task.isCancelled)")
    }
    let receipt = Begin().dispatch(with: dispatcher)
    let waiting = Task { [log] in
      await receipt.finished
      log.append("resumed")
    }
    waiting.cancel()
    await waiting.value
    #expect(log.all == ["resumed"])
    go.fire()
    await receipt.finished
    #expect(log.all == ["resumed", "ended, false"])
  }

  @Test(arguments: [true, false])
  func `who waits for an outcome is resumed when it is cancelled, and the operation continues`(isLate: Bool)
    async
  {
    let count = Substance(0)
    let lock = Flux.current.lock()
    let receipt = count.mix { $0 = 1 }
    let waiting = Task {
      if isLate { withUnsafeCurrentTask { $0?.cancel() } }
      return await receipt.outcome
    }
    for _ in 0..<20 { await Task.yield() }
    waiting.cancel()
    guard case .waiting = await waiting.value else {
      Issue.record("it was not resumed")
      return
    }
    lock.release()
    guard case .committed = await receipt.outcome else {
      Issue.record("it was not performed")
      return
    }
    #expect(count.state == 1)
  }
}

extension ActionTracker {
  /// How many trackers it counts in.
  fileprivate var depth: Int { outer.map { $0.depth + 1 } ?? 0 }
}
