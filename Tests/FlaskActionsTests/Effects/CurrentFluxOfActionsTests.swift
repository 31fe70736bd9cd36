import TestSupport
import Testing

@testable import FlaskActions
@testable import FlaskCore
@testable import KernelFixtures
@testable import ActionFixtures

/// Inside an action and its effects, the flux of the action is the current one, on any thread.
@Suite(.ownFlux) struct CurrentFluxOfActionsTests {
  private let log = Recorder<String>()

  /// Notes a place in which another flux than `flux` is current.
  private func note(_ flux: Flux) -> @Sendable (String) -> Void {
    { [log, flux] place in if Flux.current !== flux { log.append(place) } }
  }

  @Test func `in effects, and in the actions that they dispatch`() async {
    let flux = Flux()
    let note = note(flux)
    let dispatcher = Flux.$current.withValue(flux) { FluxDispatcher() }
    let middleware = FluxMiddleware()
    middleware.registerEffect(for: Ping.self) { _, dispatch in
      note("effect")
      dispatch(Pong())
    }
    middleware.registerHandler(for: Pong.self) { _ in note("handler") }
    dispatcher.register(workers: [middleware])
    await OtherThread.run { dispatcher.dispatch(Ping(), isolation: nil) }.finished
    #expect(log.all == [])
    dispatcher.unregisterAll()
  }

  @Test func `in reducers, and in the reactions to them`() async {
    let flux = Flux()
    let note = note(flux)
    let count = Recorder<String>()
    let (store, dispatcher) = Flux.$current.withValue(flux) {
      (FluxStore(initialState: Tally()), FluxDispatcher())
    }
    store.registerReducer(for: Add.self) { state, _ in
      state.counter += 1
      note("reducer")
      count.append("reducer")
    }
    dispatcher.register(workers: [store])
    let owner = Owner()
    Flask.reactor(attachedTo: owner, mixing: store) { _, _ in
      note("reaction")
      count.append("reaction")
    }
    await OtherThread.run(times: 4) { _ in
      for _ in 0..<50 { dispatcher.dispatch(Add(), isolation: nil) }
    }
    _ = await flux.performInFluxQueue {}.outcome
    #expect(count.all.filter { $0 == "reducer" }.count == 200)
    #expect(count.all.filter { $0 == "reaction" }.count == 200)
    #expect(log.all == [])
    withExtendedLifetime(owner) {}
    dispatcher.unregisterAll()
  }
}
