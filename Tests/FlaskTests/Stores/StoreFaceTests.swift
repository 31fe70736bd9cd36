@testable import FlaskActions
import FlaskArchive
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// What a substance can, a store can.
@Suite(.ownFlux) struct StoreFaceTests {

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
}
