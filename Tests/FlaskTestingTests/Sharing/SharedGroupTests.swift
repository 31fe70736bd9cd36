import FlaskEntities
import FlaskSharing
import FlaskTesting
import TestSupport
import Testing

@Suite struct SharedGroupTests {
  struct Entry: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var title = ""
    var note: String?
  }

  struct Ledger: FlaskState, Equatable {
    var title = ""
    var total = 0
    var entries: Entities<Entry> = []
  }

  struct Process {
    let flux = Flux()
    let store: SimulatedStore
    let group: SharedGroup
    let ledger: Substance<Ledger>

    init(_ database: SimulatedDatabase, version: Int = 0) {
      let store = database.connect()
      self.store = store
      (group, ledger) = Flux.$current.withValue(flux) {
        let group = SharedGroup("books", in: store, version: version)
        return (group, Substance<Ledger>(name: "ledger", archive: true, in: group))
      }
    }
  }

  @Test func `what one process saves, another has when it is made`() async throws {
    let database = SimulatedDatabase()
    let a = Process(database)
    a.ledger.mix {
      $0.title = "May"; $0.entries = [Entry(id: 1, title: "rent"), Entry(id: 2, title: "food")]
    }
    try await a.group.save()
    let b = Process(database)
    #expect(b.ledger.state == a.ledger.state)
    #expect(database.rows(of: "books").map(\.key.id) == ["", "1", "2"])
  }

  @Test func `changes of two processes are merged, and arrive in both`() async throws {
    let database = SimulatedDatabase()
    let a = Process(database)
    a.ledger.mix { $0.entries = [Entry(id: 1, title: "rent"), Entry(id: 2, title: "food")] }
    try await a.group.save()
    let b = Process(database)
    a.ledger.mix { $0.entries[id: 1]?.title = "Rent" }
    b.ledger.mix {
      $0.entries[id: 1]?.note = "due"; $0.entries.append(Entry(id: 3, title: "car")); $0.title = "June"
    }
    let place = try await a.group.save()
    let later = try await b.group.save()
    for process in [a, b] {
      try await process.group.reached(place)
      try await process.group.reached(later)
    }
    let expected = Ledger(
      title: "June",
      entries: [
        Entry(id: 1, title: "Rent", note: "due"), Entry(id: 2, title: "food"), Entry(id: 3, title: "car"),
      ]
    )
    #expect(a.ledger.state == expected)
    #expect(b.ledger.state == expected)
  }

  @Test func `a mix reaches the other process by itself`() async throws {
    let database = SimulatedDatabase()
    let a = Process(database)
    let b = Process(database)
    a.ledger.mix { $0.entries.append(Entry(id: 1)) }
    for await entries in b.ledger.values(of: \.entries) where entries.count == 1 { break }
    b.ledger.mix { $0.entries.remove(id: 1) }
    for await entries in a.ledger.values(of: \.entries) where entries.isEmpty { break }
    _ = a
  }

  @Test func `what is pending is counted while the database can't be reached, without an observer`()
    async throws
  {
    let database = SimulatedDatabase()
    let a = Process(database)
    a.flux.onFault = { _ in }
    a.ledger.mix { $0.entries = [Entry(id: 1), Entry(id: 2)] }
    try await a.group.save()
    a.store.onStep = { _ in .unreachable }
    a.ledger.mix {
      $0.entries[id: 1]?.title = "rent"
      $0.entries[id: 2]?.title = "food"
    }
    await #expect(throws: SharingError.self) { try await a.group.save() }
    #expect(a.group.status.state.pendingRows == 2)
    a.store.onStep = nil
    try await a.group.save(timeout: .seconds(20))
    #expect(a.group.status.state.pendingRows == 0)
  }

  @Test func `a place of another database says so at once`() async throws {
    let a = Process(SimulatedDatabase())
    try await a.group.opened()
    let place = SharedPlace(incarnation: "another", number: 0)
    await #expect {
      try await a.group.reached(place)
    } throws: {
      if case SharingError.otherHistory = $0 { true } else { false }
    }
  }

  @Test func `a transaction that is refused leaves nothing pending`() async throws {
    let database = SimulatedDatabase()
    let newer = Process(database, version: 1)
    newer.ledger.mix { $0.title = "May" }
    try await newer.group.save()
    let older = Process(database)
    await #expect(throws: SharingError.self) {
      try await older.group.transact(older.ledger) { $0.title = "June" }
    }
    #expect(older.group.status.state.pendingRows == 0)
  }
}
