import FlaskActions
import Testing

import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// Reducers and handlers that are removed again.
@Suite(.ownFlux) struct UnregisteringTests {
  private let dispatcher = FluxDispatcher()
  private let store = TallyStore()
  private let heard = Recorder<String>()

  @Test func `a removed reducer changes nothing, and another may take its place`() {
    dispatcher.register(workers: [store, ActionLog("", heard) { _ in .next() }])
    store.unregisterReducer(for: Rename.self)
    Rename(text: "a").dispatch(with: dispatcher)
    #expect(store.state.text == "")
    store.registerReducer(for: Rename.self) { state, action in state.text = "second \(action.text)" }
    Rename(text: "b").dispatch(with: dispatcher)
    #expect(store.state.text == "second b")
    store.unregisterReducer(for: Pong.self)
  }

  @Test func `removed handlers hear nothing, and the composer stays`() {
    let middleware = FluxMiddleware()
    middleware.registerHandler(for: Ping.self) { [heard] _ in heard.append("first") }
    middleware.registerHandler(for: Ping.self) { [heard] _ in heard.append("second") }
    middleware.registerHandler(for: Pong.self) { [heard] _ in heard.append("pong") }
    middleware.registerComposer(for: Ping.self) { _ in .next(Pong()) }
    let last = FluxMiddleware()
    last.registerHandler(for: Pong.self) { [heard] _ in heard.append("composed") }
    dispatcher.register(workers: [middleware, last])
    middleware.unregisterHandler(for: Ping.self)
    Ping().dispatch(with: dispatcher)
    Pong().dispatch(with: dispatcher)
    #expect(heard.all == ["composed", "pong", "composed"])
    middleware.registerHandler(for: Ping.self) { [heard] _ in heard.append("third") }
    Ping().dispatch(with: dispatcher)
    #expect(heard.all.suffix(2) == ["third", "composed"])
  }
}
