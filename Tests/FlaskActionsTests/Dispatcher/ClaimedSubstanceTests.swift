@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// Actions for substances that are registered with a dispatcher of their own: all of an action happens, or nothing.
@Suite(.ownFlux) struct ClaimedSubstanceTests {
  private let locator = ReactiveSubstance(Tally(), name: "locator") { on in
    on(Rename.self) { state, action in state.text = action.text }
  }
  private let heard = Recorder<String>()
  private let middleware = FluxMiddleware()

  init() { middleware.registerHandler(for: Rename.self) { [heard] in heard.append($0.text) } }

  @Test func `a substance with a dispatcher of its own does not answer the default one`() async throws {
    let dispatcher = FluxDispatcher()
    dispatcher.register(workers: [locator, middleware])
    let receipt = Flask.dispatch(Rename(text: "half"))
    #expect(locator.state.text == "")
    #expect(heard.all == [])
    #expect(await receipt.failure is UnansweredAction)
    #if DEBUG
      let faults = FaultLog.current.take()
      #expect(faults.map(\.kind) == [.actionWithoutAnswer])
      let message = try #require(faults.first?.message)
      #expect(message.contains("locator defines it, but is registered with a dispatcher of its own"))
    #endif
    Rename(text: "whole").dispatch(with: dispatcher)
    #expect(locator.state.text == "whole")
    #expect(heard.all == ["whole"])
  }

  @Test func `a substance answers the default dispatcher again after its own one`() {
    do {
      let dispatcher = FluxDispatcher()
      dispatcher.register(workers: [locator])
      let other = FluxDispatcher()
      other.register(workers: [locator])
      other.unregister(workers: [locator])
    }
    Flask.dispatch(Rename(text: "a"))
    #expect(locator.state.text == "a")
  }

  @Test func `a substance that is registered with both answers both, once each`() {
    let dispatcher = FluxDispatcher()
    dispatcher.register(workers: [locator])
    Flux.current.dispatcher.register(workers: [dispatcher, middleware])
    defer { Flux.current.dispatcher.unregisterAll() }
    Flask.dispatch(Rename(text: "a"))
    #expect(locator.state.text == "a")
    #expect(heard.all == ["a"])
  }
}
