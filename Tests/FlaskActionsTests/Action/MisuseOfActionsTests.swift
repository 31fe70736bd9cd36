@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// Whatever is misused gives exactly one fault, which names place, culprit and remedy, or nothing; no trap, no loop, no leak.
@Suite(.ownFlux) struct MisuseOfActionsTests {
  private let dispatcher = FluxDispatcher()

  private func take() -> [String] {
    FaultLog.current.take().map { "\($0.line) \($0.kind): \($0.message)" }
  }

  @Test func `a worker is registered twice`() {
    let log = Recorder<String>()
    let worker = ActionLog("", log)
    dispatcher.register(workers: [worker])
    dispatcher.register(workers: [worker]); let line = #line
    #expect(
      take() == ["\(line) workerRegisteredTwice: ActionLog is registered already; register each worker once"]
    )
    Ping().dispatch(with: dispatcher)
    #expect(log.all == ["Ping"])
  }

  @Test func `a dispatcher is registered with itself`() {
    dispatcher.register(workers: [dispatcher])
    #expect(FaultLog.takeKinds() == [.dispatcherInItself])
    #expect(Ping().dispatch(with: dispatcher).outcomeIfKnown?.description == "unchanged")
    #expect(FaultLog.takeKinds() == .inDebugBuilds(.actionWithoutAnswer))
  }

  @Test func `a dispatcher is registered with one of its own workers`() {
    let middle = FluxDispatcher()
    let inner = FluxDispatcher()
    dispatcher.register(workers: [middle])
    middle.register(workers: [inner])
    inner.register(workers: [dispatcher])
    #expect(FaultLog.takeKinds() == [.dispatcherInItself])
    #expect(inner.workers.isEmpty)
  }

  @Test func `of dispatchers that are registered with each other at a time, one is left out`() async {
    let other = FluxDispatcher()
    await OtherThread.run(times: 2) { [dispatcher] thread in
      if thread == 0 { dispatcher.register(workers: [other]) } else { other.register(workers: [dispatcher]) }
    }
    #expect(FaultLog.takeKinds() == [.dispatcherInItself])
    #expect(dispatcher.workers.count + other.workers.count == 1)
  }

  @Test func `a store of another flux is registered`() {
    let store = Flux.$current.withValue(Flux()) { TallyStore() }
    dispatcher.register(workers: [store])
    #expect(FaultLog.takeKinds() == [.workerOfDifferentFlux])
    Add().dispatch(with: dispatcher)
    #expect(store.state.counter == 0)
    #expect(FaultLog.takeKinds() == .inDebugBuilds(.actionWithoutAnswer))
  }

  @Test func `a worker hands an action to a store of another flux`() {
    final class Wrapper: FluxWorker {
      let store: TallyStore
      init(_ store: TallyStore) { self.store = store }
      func handle(_ action: any FluxAction, in pass: borrowing FluxPass) throws -> FluxNextAction {
        try store.handle(action, in: pass)
      }
    }
    let faults = Recorder<FlaskFault.Kind>()
    let other = Flux()
    other.onFault = { faults.append($0.kind) }
    let store = Flux.$current.withValue(other) { TallyStore() }
    dispatcher.register(workers: [Wrapper(store)])
    Add().dispatch(with: dispatcher)
    #expect(faults.all == [.workerOfDifferentFlux])
    #expect(store.state.counter == 0)
  }

  @Test func `a second reducer for one type is left out`() {
    let store = TallyStore(name: "tally")
    store.registerReducer(for: Add.self) { state, _ in state.counter = 100 }; let line = #line
    #expect(
      take() == [
        "\(line) answerRegisteredTwice: tally registers a reducer for Add twice, and the first, at "
          + "ActionFixtures/TallyStore.swift:10, counts; remove one, or do both in one"
      ]
    )
    dispatcher.register(workers: [store])
    Add().dispatch(with: dispatcher)
    #expect(store.state.counter == 1)
  }

  @Test func `a second composer for one type is left out`() {
    let middleware = FluxMiddleware()
    middleware.registerComposer(for: Ping.self) { _ in .stop() }
    middleware.registerComposer(for: Ping.self) { _ in .next() }
    #expect(FaultLog.takeKinds() == [.answerRegisteredTwice])
    let log = Recorder<String>()
    dispatcher.register(workers: [middleware, ActionLog("", log)])
    Ping().dispatch(with: dispatcher)
    #expect(log.all == [])
  }

  @Test func `a second error handler is left out`() {
    let middleware = FluxMiddleware()
    middleware.registerErrorHandler { _, _, _ in }
    middleware.registerErrorHandler { _, _, _ in }
    #expect(FaultLog.takeKinds() == [.answerRegisteredTwice])
  }

  @Test func `a worker that is not registered is unregistered`() {
    dispatcher.unregister(workers: [TallyStore()])
    #expect(dispatcher.workers.isEmpty)
  }

  @Test func `the default dispatcher of a flux that was removed does nothing`() {
    var flux: Flux? = Flux()
    let dispatcher = flux?.dispatcher
    flux = nil
    #expect(Ping().dispatch(with: dispatcher).outcomeIfKnown?.description == "aborted")
    #expect(dispatcher?.flux == nil)
  }

  @Test func `effects without end are cancelled by their identifier`() async {
    let middleware = FluxMiddleware()
    let started = Signal()
    middleware.registerEffect(for: Ping.self, id: "poll") { _, dispatch in
      started.fire()
      dispatch(Ping())
    }
    dispatcher.register(workers: [middleware])
    let receipt = Ping().dispatch(with: dispatcher)
    await started.wait()
    dispatcher.unregisterAll()
    await receipt.finished
    #expect(dispatcher.effects.count == 0)
  }
}
