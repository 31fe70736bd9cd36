@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

@Suite(.ownFlux) struct FluxMiddlewareTests {
  private let dispatcher = FluxDispatcher()
  private let middleware = FluxMiddleware()
  private let log = Recorder<String>()

  init() { dispatcher.register(workers: [middleware, ActionLog("", log)]) }

  @Test func `a handler hands the same action on`() {
    middleware.registerHandler(for: Ping.self) { [log] _ in log.append("handled") }
    Ping().dispatch(with: dispatcher)
    #expect(log.all == ["handled", "Ping"])
  }

  @Test func `handlers run in the order in which they were registered, before the composer`() {
    middleware.registerComposer(for: Ping.self) { [log] _ in
      log.append("composed")
      return .next(Pong())
    }
    middleware.registerHandler(for: Ping.self) { [log] _ in log.append("a") }
    middleware.registerHandler(for: Ping.self) { [log] _ in log.append("b") }
    Ping().dispatch(with: dispatcher)
    #expect(log.all == ["a", "b", "composed", "Pong"])
  }

  @Test func `a composer can stop an action`() {
    middleware.registerComposer(for: Ping.self) { _ in .stop() }
    Ping().dispatch(with: dispatcher)
    #expect(log.all == [])
  }

  @Test func `a handler sees the state before the action`() {
    let store = TallyStore()
    dispatcher.register(workers: [store], priority: 1)
    middleware.registerHandler(for: Add.self) { [log] _ in log.append("\(store.state.counter)") }
    Add().dispatch(with: dispatcher)
    #expect(log.all == ["0", "Add"])
    #expect(store.state.counter == 1)
  }

  @Test func `an action of more types than are scanned finds its handler`() {
    struct A: FluxAction {}; struct B: FluxAction {}; struct C: FluxAction {}; struct D: FluxAction {}
    struct E: FluxAction {}; struct F: FluxAction {}; struct G: FluxAction {}; struct H: FluxAction {}
    let types: [any FluxAction.Type] = [
      A.self, B.self, C.self, D.self, E.self, F.self, G.self, H.self, Ping.self, Pong.self,
    ]
    func register(_ type: (some FluxAction).Type) {
      middleware.registerHandler(for: type) { [log] _ in log.append("handled \(type)") }
    }
    for type in types { register(type) }
    A().dispatch(with: dispatcher)
    Pong().dispatch(with: dispatcher)
    #expect(log.all == ["handled A", "A", "handled Pong", "Pong"])
  }
}
