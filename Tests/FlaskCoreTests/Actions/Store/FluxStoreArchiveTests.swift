@testable import FlaskActions
import FlaskArchive
import Testing

@testable import FlaskCore

@Suite(.ownFlux) struct FluxStoreArchiveTests {
  final class Archived: FluxStore<Tally>, @unchecked Sendable {
    init(in backend: any ArchiveBackend, _ name: String) {
      super.init(initialState: Tally(), name: name)
      archive(in: backend)
      registerReducer(for: Add.self) { state, action in state.counter += action.amount }
    }
  }

  private let dispatcher = FluxDispatcher()
  private let backend = MemoryArchive()

  /// What a store of that name reads. Two of one name at a time are a fault, which goes to a flux of its own.
  private func counterOfNext(_ name: String) -> Int {
    let flux = Flux()
    flux.onFault = { _ in }
    return Flux.$current.withValue(flux) { Archived(in: backend, name).state.counter }
  }

  @Test func `a store reads what an earlier one has saved`() {
    let store = Archived(in: backend, "store-a")
    dispatcher.register(workers: [store])
    Add(amount: 6).dispatch(with: dispatcher)
    #expect(store.archiveNow())
    #expect(counterOfNext("store-a") == 6)
  }

  @Test func `a change is saved by a flush`() {
    let store = Archived(in: backend, "store-b")
    dispatcher.register(workers: [store])
    Add(amount: 2).dispatch(with: dispatcher)
    #expect(Flask.flushArchives() as Bool)
    #expect(counterOfNext("store-b") == 2)
  }

  @Test func `a store that is not archived can't be archived now`() {
    let store = TallyStore(name: "tally")
    #expect(!store.archiveNow())
    #expect(FaultLog.takeKinds() == [.archiveOff])
  }
}
