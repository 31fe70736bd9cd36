@testable import FlaskActions
import FlaskArchive
import Testing

@testable import FlaskCore
@testable import KernelFixtures
@testable import ActionFixtures

/// Stores that are archived, alone and in a group.
@Suite(.ownFlux) struct ArchivedStoreTests {
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
    // The answer is about all archives of the process, those of other tests included.
    _ = Flask.flushArchives() as Bool
    #expect(counterOfNext("store-b") == 2)
  }

  @Test func `a store that is not archived can't be archived now`() {
    let store = TallyStore(name: "tally")
    #expect(!store.archiveNow())
    #expect(FaultLog.takeKinds() == [.archiveOff])
  }

  @Test func `a store without settings of an archive says what it lacks`() {
    let store = TallyStore(name: "tally")
    store.shouldArchive = true
    #expect(!store.purgeArchive())
    let refusal =
      "tally is not archived: it is a store; make its state `Codable`, and call `archive()` in its initialiser"
    #expect(FaultLog.current.take().map(\.message) == [refusal, refusal])
  }

  @Test func `a store is a member like any other`() {
    final class Shop: FluxStore<Tally>, @unchecked Sendable {
      init(_ group: ArchiveGroup) {
        super.init(initialState: Tally(), name: "shop")
        registerReducer(for: Sale.self) { state, sale in state.counter += sale.amount }
        archive(in: group)
      }
    }
    struct Sale: FluxAction { let amount: Int }
    for total in [3, 6] {
      let group = ArchiveGroup("session", in: backend)
      let shop = Shop(group)
      let dispatcher = FluxDispatcher()
      dispatcher.register(workers: [shop])
      dispatcher.dispatch(Sale(amount: 3))
      #expect(shop.state.counter == total)
      #expect(shop.archiveNow())
    }
  }
}
