@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// Each of these was seen in the two frameworks that this one follows, and is not to be repeated.
@Suite(.ownFlux) struct FaultsOfTheOriginalsActionTests {
  private let dispatcher = FluxDispatcher()
  private let log = Recorder<String>()

  @Test func `a nested dispatch does not make the outer action skip its remaining workers`() {
    dispatcher.register(workers: [
      ActionLog("a", log) { [weak dispatcher] action in
        if action is Ping { Pong().dispatch(with: dispatcher) }
        return .next()
      }, ActionLog("b", log),
    ])
    Ping().dispatch(with: dispatcher)
    #expect(log.all == ["aPing", "bPing", "aPong", "bPong"])
  }

  @Test func `after a stop the next action goes its way`() {
    dispatcher.register(workers: [
      ActionLog("a", log) { $0 is Ping ? .stop() : .next() }, ActionLog("b", log),
    ])
    Ping().dispatch(with: dispatcher)
    Pong().dispatch(with: dispatcher)
    #expect(log.all == ["aPing", "aPong", "bPong"])
  }

  @Test func `an observer is passed the state of its change, not that of a later moment`() async {
    let store = TallyStore()
    dispatcher.register(workers: [store])
    let heard = Recorder<Int>()
    let token = await MainActor.run {
      store.observe(anyOf: [\Tally.counter]) { state in heard.append(state.counter) }
    }
    await OtherThread.run { [dispatcher] in
      for _ in 0..<3 { Add().dispatch(with: dispatcher, isolation: nil) }
    }
    let later = Signal()
    let last = store.observe(key: "text", isolation: MainActor.shared) { _ in later.fire() }
    Rename(text: "x").dispatch(with: dispatcher)
    await later.wait()
    await MainActor.run {}
    #expect(heard.all == [1, 2, 3])
    #expect(store.state.counter == 3)
    withExtendedLifetime((token, last)) {}
  }
}
