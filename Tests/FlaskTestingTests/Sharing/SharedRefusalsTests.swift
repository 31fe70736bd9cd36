import FlaskArchive
import FlaskCore
import FlaskSharing
import FlaskTesting
import TestSupport
import Testing

/// Substances that a shared group can't take, and requests for an archive of what it has taken.
@Suite struct SharedRefusalsTests {
  private typealias Stock = SharedStock.Stock
  private typealias Process = SharedStock.Process

  private let database = SimulatedDatabase()

  /// Ways in which a substance can't become a member of a group.
  enum Refusal: CaseIterable {
    case nameTaken, noName, longName

    var name: String? {
      switch self {
      case .nameTaken: "stock"
      case .noName: nil
      case .longName: String(repeating: "x", count: 600)
      }
    }
  }

  @Test(arguments: Refusal.allCases)
  func `a substance that the group has refused is saved nowhere, and each request says so`(_ refusal: Refusal)
    async throws
  {
    let a = Process(database)
    let refused = Flux.$current.withValue(a.flux) {
      Substance<Stock>(name: refusal.name, archive: true, in: a.group)
    }
    _ = a.faults.take()
    #expect(!refused.shouldArchive)
    refused.mix { $0.left.label = "refused" }
    #expect(await !refused.archiveNow())
    #expect(!refused.purgeArchive())
    refused.shouldArchive = true
    let faults = a.faults.take()
    #expect(faults.map(\.kind) == [.archiveOff, .archiveOff, .archiveOff])
    #expect(
      faults.allSatisfy { $0.message.contains("is not archived: ") && !$0.message.contains("is shared") }
    )
    await #expect(throws: ArchiveError.self) { try await refused.save() }
    #expect(a.faults.take().isEmpty)
    try await a.group.save()
    #expect(!database.rows(of: "stock").contains { $0.body.contains("refused") })
  }

  @Test func `what a group shares is not archived as well`() async throws {
    let a = Process(database)
    let local = MemoryArchive()
    func total() -> Substance<SharedStock.Total> {
      Flux.$current.withValue(a.flux) { Substance(SharedStock.Total(), name: "sum") }
    }
    do {
      let earlier = total()
      earlier.archive(in: local)
      earlier.mix { $0.sum = 1 }
      try await earlier.save()
    }
    let shared = total()
    shared.share(in: a.group)
    #expect(shared.shouldArchive)
    _ = a.faults.take()
    shared.archive(in: local)
    shared.shouldArchive = false
    let faults = a.faults.take()
    #expect(
      faults.map(\.message)
        == Array(repeating: "sum is shared: save its group, by `save()` of the `SharedGroup`", count: 2)
    )
    #expect(shared.state.sum == 0 && shared.shouldArchive)
    shared.mix { $0.sum = 2 }
    try await a.group.save()
    #expect(database.rows(of: "stock").contains { $0.key.part == "sum" && $0.body.contains("2") })
  }

  @Test func `a question for an archive does not keep a substance from being shared`() async throws {
    let a = Process(database)
    let total = Flux.$current.withValue(a.flux) { Substance(SharedStock.Total(), name: "sum") }
    total.shouldArchive = false
    _ = try? await total.save()
    _ = try? await total.requireOpened()
    #expect(await !total.archiveNow())
    _ = a.faults.take()
    total.share(in: a.group)
    #expect(a.faults.take().isEmpty && total.shouldArchive)
  }

  @Test func `a group that can't take what is archived elsewhere leaves it there`() async throws {
    let a = Process(database)
    let local = MemoryArchive()
    let total = Flux.$current.withValue(a.flux) {
      Substance(SharedStock.Total(), name: String(repeating: "x", count: 600))
    }
    total.archive(in: local)
    total.share(in: a.group)
    #expect(a.faults.take().map(\.kind) == [.archiveNotSaved])
    #expect(total.shouldArchive)
    total.mix { $0.sum = 4 }
    try await total.save()
  }

  @Test func `a refused substance that gets another name is no part of the group`() {
    let a = Process(database)
    let twin = Flux.$current.withValue(a.flux) { Substance<Stock>(name: "stock", archive: true, in: a.group) }
    _ = a.faults.take()
    twin.name(as: "other")
    #expect(a.faults.take().isEmpty)
  }
}
