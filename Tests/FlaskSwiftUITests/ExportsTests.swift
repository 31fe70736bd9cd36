import FlaskSwiftUI
import Testing

/// The parts of the module that need no SwiftUI: what a view is written with comes with it.
@Suite struct ExportsTests {
  private struct Row: FlaskState, Identifiable {
    var id = 1
    var title = ""
  }

  private struct Rename: FluxAction { let title: String }

  @Test func `stores, scopes, derived values, entities and archives come with one import`() {
    Flux.$current.withValue(Flux()) {
      let rows = Substance(Entities([Row()]))
      let count = Derived { rows.state.count }
      let part = Substance(Row(), name: "row", archive: true, in: MemoryArchive()).scope(\.title)
      let store = FluxStore(initialState: Row())
      store.registerReducer(for: Rename.self) { state, action in state.title = action.title }
      let dispatcher = FluxDispatcher()
      dispatcher.register(workers: [store])
      rows.mix { $0.append(Row(id: 2)) }
      part.mix { $0 = "part" }
      dispatcher.dispatch(Rename(title: "store"))
      #expect(count.value == 2)
      #expect(part.value == "part")
      #expect(store.state.title == "store")
      dispatcher.unregisterAll()
    }
  }
}
