@testable import FlaskActions
import Observation
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

private struct Three: Sendable { var first = 0, second = 0, third = 0 }

@Suite(.ownFlux) struct FluxStoreTests {
  private let dispatcher = FluxDispatcher()
  private let store = TallyStore(name: "tally")

  init() { dispatcher.register(workers: [store]) }

  @Test func `a reducer changes the state`() {
    Add(amount: 3).dispatch(with: dispatcher)
    #expect(store.state.counter == 3)
  }

  @Test func `an action that no one answers changes nothing`() {
    #expect(Ping().dispatch(with: dispatcher).outcomeIfKnown?.description == "unchanged")
    #expect(FaultLog.takeKinds() == .inDebugBuilds(.actionWithoutAnswer))
  }

  @Test func `a reactor hears the keys that a reducer changed`() {
    let heard = Recorder<[String]>()
    let owner = Owner()
    Flask.reactor(attachedTo: owner, mixing: [store]) { _, reaction in heard.append(reaction.keys) }
    Add().dispatch(with: dispatcher)
    Rename(text: "x").dispatch(with: dispatcher)
    #expect(heard.all == [["counter"], ["text"]])
  }

  @Test func `an observer of some keys is notified once of a change of several`() {
    let heard = Recorder<String>()
    store.registerReducer(for: Ping.self) { state, _ in
      state.counter = 5
      state.text = "five"
    }
    let token = store.observe(anyOf: [\.counter, \.text], isolation: nil) { state in
      heard.append("\(state.counter) \(state.text)")
    }
    Ping().dispatch(with: dispatcher)
    #expect(heard.all == ["5 five"])
    withExtendedLifetime(token) {}
  }

  @Test func `an observer is not notified of other keys`() {
    let heard = Recorder<Int>()
    let one = store.observe(anyOf: [\.counter], isolation: nil) { heard.append($0.counter) }
    let two = store.observe(anyOf: [\.counter, \.maybe], isolation: nil) { heard.append($0.counter) }
    Rename(text: "x").dispatch(with: dispatcher)
    #expect(heard.all == [])
    withExtendedLifetime((one, two)) {}
  }

  @Test func `an observer of some keys is notified of each of them, wherever it stands`() {
    let heard = Recorder<String>()
    let profile = Substance(Three())
    let token = profile.observe(anyOf: [\.second, \.third], isolation: nil) { heard.append("\($0)") }
    profile.mix { $0.third = 3 }
    profile.mix { $0.first = 1 }
    profile.mix { $0.second = 2 }
    #expect(heard.all == ["Three(first: 0, second: 0, third: 3)", "Three(first: 1, second: 2, third: 3)"])
    withExtendedLifetime(token) {}
  }

  @Test func `an observer of a computed property is notified when its value changes`() {
    let profile = FluxStore(initialState: Profile())
    profile.registerReducer(for: Rename.self) { state, action in state.info.title = action.text }
    profile.registerReducer(for: Add.self) { state, _ in state.list.append(1) }
    dispatcher.register(workers: [profile])
    let heard = Recorder<String>()
    let token = profile.observe(anyOf: [\.headline], isolation: nil) { heard.append($0.headline) }
    Add().dispatch(with: dispatcher)
    Rename(text: "new").dispatch(with: dispatcher)
    #expect(heard.all == ["new!"])
    withExtendedLifetime(token) {}
  }

  @Test func `a key path is observed with its old and new value`() {
    let heard = Recorder<[Int]>()
    let token = store.observe(\.counter, isolation: nil) { old, new in heard.append([old, new]) }
    Add(amount: 2).dispatch(with: dispatcher)
    #expect(heard.all == [[0, 2]])
    withExtendedLifetime(token) {}
  }

  @Test func `a token that is released ends the observation`() {
    let heard = Recorder<Int>()
    do {
      let token = store.observe(anyOf: [\.counter], isolation: nil) { heard.append($0.counter) }
      Add().dispatch(with: dispatcher)
      withExtendedLifetime(token) {}
    }
    Add().dispatch(with: dispatcher)
    #expect(heard.all == [1])
  }

  @Test func `observers on the main actor are notified there`() async {
    let told = Signal()
    let token = store.observe(anyOf: [\.counter]) { @MainActor state in
      MainActor.assertIsolated()
      told.fire()
    }
    await OtherThread.run { [dispatcher] in _ = Add().dispatch(with: dispatcher, isolation: nil) }
    await told.wait()
    withExtendedLifetime(token) {}
  }

  @Test @MainActor func `observation tracking is notified on the main thread at once`() {
    let heard = Recorder<Bool>()
    withObservationTracking {
      _ = store.state.counter
    } onChange: {
      heard.append(MainThread.isCurrent)
    }
    Add().dispatch(with: dispatcher)
    #expect(heard.all == [true])
  }

  @Test func `observation tracking is notified on the main thread of a change elsewhere`() async {
    let told = Signal()
    let heard = Recorder<Bool>()
    withObservationTracking {
      _ = store.state.counter
    } onChange: {
      heard.append(MainThread.isCurrent)
      told.fire()
    }
    await OtherThread.run { [dispatcher] in _ = Add().dispatch(with: dispatcher, isolation: nil) }
    await told.wait()
    #expect(heard.all == [true])
  }

  @Test func `a store whose state was read goes when no one holds it`() {
    weak var gone: TallyStore?
    do {
      let store = TallyStore()
      _ = store.state.counter
      gone = store
    }
    #expect(gone == nil)
  }

  @Test func `observers of values of a store are notified of each`() {
    let log = Recorder<String>()
    let store = TallyStore()
    let dispatcher = FluxDispatcher()
    dispatcher.register(workers: [store])
    let token = store.observe(valuesOf: \.counter, \.text) { log.append("\($0)\($1)") }
    Add(amount: 2).dispatch(with: dispatcher)
    Rename(text: "x").dispatch(with: dispatcher)
    #expect(log.all == ["0", "2", "2x"])
    withExtendedLifetime(token) {}
  }
}
