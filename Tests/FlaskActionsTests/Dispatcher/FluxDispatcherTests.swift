@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

@Suite(.ownFlux) struct FluxDispatcherTests {
  private let dispatcher = FluxDispatcher()
  private let log = Recorder<String>()
  private let holder = Recorder<Owner>()

  @Test func `workers are asked in the order in which they were registered`() {
    dispatcher.register(workers: [ActionLog("a", log), ActionLog("b", log)])
    dispatcher.register(workers: [ActionLog("c", log)])
    Ping().dispatch(with: dispatcher)
    #expect(log.all == ["aPing", "bPing", "cPing"])
  }

  @Test func `workers of a higher priority are asked first`() {
    dispatcher.register(workers: [ActionLog("a", log)])
    dispatcher.register(workers: [ActionLog("low", log)], priority: -1)
    dispatcher.register(workers: [ActionLog("b", log), ActionLog("c", log)], priority: 5)
    dispatcher.register(workers: [ActionLog("d", log)])
    Ping().dispatch(with: dispatcher)
    #expect(log.all == ["bPing", "cPing", "aPing", "dPing", "lowPing"])
  }

  @Test func `an unregistered worker is asked no more, and released`() {
    weak var released: ActionLog?
    do {
      let worker = ActionLog("a", log)
      released = worker
      dispatcher.register(workers: [worker, ActionLog("b", log)])
      dispatcher.unregister(workers: [worker])
      dispatcher.unregister(workers: [worker])
    }
    Ping().dispatch(with: dispatcher)
    #expect(log.all == ["bPing"])
    #expect(released == nil)
  }

  @Test func `an action replaced by a worker continues in its place`() {
    dispatcher.register(workers: [
      ActionLog("a", log) { $0 is Ping ? .next(Pong()) : .next() }, ActionLog("b", log),
    ])
    Ping().dispatch(with: dispatcher)
    #expect(log.all == ["aPing", "bPong"])
  }

  @Test func `a nested dispatcher hands on what comes out at its end`() {
    let inner = FluxDispatcher()
    inner.register(workers: [ActionLog("i", log) { _ in .next(Pong()) }])
    dispatcher.register(workers: [ActionLog("a", log), inner, ActionLog("b", log)])
    Ping().dispatch(with: dispatcher)
    #expect(log.all == ["aPing", "iPing", "bPong"])
  }

  @Test func `a stop in a nested dispatcher stops the action`() {
    let inner = FluxDispatcher()
    inner.register(workers: [ActionLog("i", log) { _ in .stop() }])
    dispatcher.register(workers: [inner, ActionLog("b", log)])
    Ping().dispatch(with: dispatcher)
    #expect(log.all == ["iPing"])
  }

  @Test func `all stores that an action changes are committed together`() async {
    let stores = [TallyStore(), TallyStore(), TallyStore()]
    dispatcher.register(workers: stores)
    let tokens = stores.map { store in
      store.observe(key: "counter", isolation: nil) { [log] _ in
        log.append(stores.map { "\($0.state.counter)" }.joined())
      }
    }
    let receipt = Add().dispatch(with: dispatcher)
    #expect(log.all == ["111", "111", "111"])
    #expect(await receipt.outcome.description == "committed(counter, counter, counter)")
    withExtendedLifetime(tokens) {}
  }

  @Test func `a reducer that throws discards the changes of every store`() async {
    let first = TallyStore()
    first.registerReducer(for: Ping.self) { state, _ in state.counter = 5 }
    let second = TallyStore()
    second.registerReducer(for: Ping.self) { _, _ in throw Oops() }
    dispatcher.register(workers: [first, second])
    let receipt = Ping().dispatch(with: dispatcher)
    #expect(first.state.counter == 0)
    #expect(await receipt.outcome.description == "failed(Oops())")
    Add().dispatch(with: dispatcher)
    #expect(first.state.counter == 1)
  }

  @Test func `an action waits behind a lock, in order with mixes`() async {
    let store = TallyStore()
    dispatcher.register(workers: [store])
    let lock = Flux.current.lock()
    let receipt = Add(amount: 4).dispatch(with: dispatcher)
    #expect(store.state.counter == 0)
    lock.release()
    #expect(store.state.counter == 4)
    #expect(await receipt.outcome.description == "committed(counter)")
  }

  @Test func `a purged action says so, and is finished`() async {
    let lock = Flux.current.lock()
    let receipt = Add().dispatch(with: dispatcher)
    Flux.current.purgeFluxQueue()
    #expect(await receipt.outcome.description == "purged")
    await receipt.finished
    lock.release()
  }

  @Test func `without a dispatcher nothing happens`() {
    #expect(Ping().dispatch(with: nil).outcomeIfKnown?.description == "aborted")
  }

  @Test func `a dispatcher holds its workers, and goes with them`() {
    weak var store: TallyStore?
    weak var gone: FluxDispatcher?
    do {
      let dispatcher = FluxDispatcher()
      let made = TallyStore()
      dispatcher.register(workers: [made])
      store = made
      gone = dispatcher
    }
    #expect(store == nil)
    #expect(gone == nil)
  }

  @Test func `a worker unregistered by another one is still asked, and its store committed`() {
    let store = TallyStore()
    dispatcher.register(workers: [
      ActionLog("a", log) { [weak dispatcher] _ in
        dispatcher?.unregisterAll()
        return .next()
      }, store,
    ])
    Add().dispatch(with: dispatcher)
    #expect(store.state.counter == 1)
    #expect(dispatcher.workers.isEmpty)
  }

  @Test func `a store that no one but the dispatcher held lives until its change has been reported`() {
    do {
      let store = TallyStore(name: "tally")
      let log = log
      let owner = Owner()
      Flask.reactor(attachedTo: owner, mixing: [store]) { _, reaction in
        reaction.on("counter") { log.append($0.substance().name()) }
      }
      holder.append(owner)
      dispatcher.register(workers: [store])
    }
    dispatcher.register(workers: [
      ActionLog("", Recorder()) { [weak dispatcher] _ in
        dispatcher?.unregisterAll()
        return .next()
      }
    ])
    Add().dispatch(with: dispatcher)
    #expect(log.all == ["tally"])
  }

  @Test func `an action dispatched off the main thread is performed on it, in order`() async {
    let flux = Flux.current
    flux.dispatcher.register(workers: [
      ActionLog("", log) { [log] action in
        log.append("\(MainThread.isCurrent)")
        return .next()
      }
    ])
    defer { flux.dispatcher.unregisterAll() }
    let receipts = await OtherThread.run { [flux] in
      Flux.$current.withValue(flux) { [Ping().dispatch(), Pong().dispatch()] }
    }
    for receipt in receipts { await receipt.finished }
    #expect(log.all == ["Ping", "true", "Pong", "true"])
  }
}
