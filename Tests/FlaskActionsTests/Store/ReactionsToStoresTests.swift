import TestSupport
import Testing

@testable import FlaskActions
@testable import FlaskCore
@testable import KernelFixtures
@testable import ActionFixtures

/// Reactions and observers of a store are those of a substance.
@Suite(.ownFlux) struct ReactionsToStoresTests {
  @Test func `a reaction reports a store's key path, and an underscored one is silent`() {
    let store = FluxStore(initialState: Profile())
    store.registerReducer(for: Add.self) { state, _ in
      state._cache += 1
      state.list.append(state._cache)
    }
    let dispatcher = FluxDispatcher()
    dispatcher.register(workers: [store])
    let heard = Recorder<String>()
    let owner = Owner()
    Flask.reactor(attachedTo: owner, mixing: store) { _, reaction in
      reaction.on(\Profile.list) { heard.append("\($0)") }
      reaction.on(\Profile._cache) { heard.append("hidden \($0)") }
    }
    let token = store.observe(\._cache) { old, new in heard.append("observed \(old) \(new)") }
    let other = store.observe(anyOf: [\Profile._cache]) { _ in heard.append("hidden observer") }
    Add().dispatch(with: dispatcher)
    #expect(heard.all == ["[] → [1]"])
    withExtendedLifetime((token, other)) {}
    dispatcher.unregisterAll()
  }
}
