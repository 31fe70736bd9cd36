@testable import FlaskActions
import FlaskArchive
import Testing

@testable import FlaskCore

extension Hardening {
  /// What a substance can, a store can.
  @Suite(.ownFlux) struct StoreFaceTests {
    @Test func `a reaction tells a store's key path, and an underscored one is silent`() {
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
      let other = store.addObserver(for: [\Profile._cache]) { _ in heard.append("hidden observer") }
      Add().dispatch(with: dispatcher)
      #expect(heard.all == ["[] → [1]"])
      withExtendedLifetime((token, other)) {}
      dispatcher.unregisterAll()
    }

    @Test
    func `a store purges its archive, saves without blocking, and takes its archive along to a new name`()
      async
    {
      let backend = MemoryArchive()
      let store = FluxStore(initialState: Tally(), name: "first")
      store.archive(in: backend)
      #expect(await store.archiveNow())
      #expect(backend.keys(withPrefix: "") == ["Fx.1.first"])
      store.name(as: "second")
      #expect(await store.archiveNow())
      #expect(backend.keys(withPrefix: "").contains("Fx.1.second"))
      #expect(store.purgeArchive())
      #expect(!backend.keys(withPrefix: "").contains("Fx.1.second"))
    }

    @Test func `a store and a substance without a name are not archived, which is a fault`() async {
      let backend = MemoryArchive()
      let store = FluxStore(initialState: Tally())
      store.archive(in: backend)
      let substance = Substance<Tally>(archive: true, in: backend)
      #expect(await !store.archiveNow())
      #expect(await !substance.archiveNow())
      #expect(backend.keys(withPrefix: "") == [])
      #expect(Set(FaultLog.takeKinds()) == [.archiveWithoutName])
    }

    @Test func `names set at the same time from four threads leave one archive, of the last name`() async {
      let backend = MemoryArchive()
      let substance = Substance<Tally>(name: "start", archive: true, in: backend)
      await OtherThread.run(times: 4) { thread in
        for number in 0..<25 { substance.name(as: "name \(thread) \(number)") }
      }
      for key in backend.keys(withPrefix: "") { backend.remove(key) }
      #expect(await substance.archiveNow())
      #expect(backend.keys(withPrefix: "") == ["Fx.1.\(substance.name())"])
    }
  }
}
