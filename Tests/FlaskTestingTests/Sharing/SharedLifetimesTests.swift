import FlaskCore
import FlaskEntities
import FlaskSharing
import FlaskTesting
import TestSupport
import Testing

/// Members that come and go, and databases that do.
@Suite struct SharedLifetimesTests {
  private typealias Stock = SharedStock.Stock
  private typealias Item = SharedStock.Item
  private typealias Process = SharedStock.Process

  private let database = SimulatedDatabase()

  @Test
  func `a successor of a substance that is not saved yet brings nothing back that others removed`()
    async throws
  {
    let a = Process(database)
    a.stock.mix { $0.left.items = [Item(id: "a"), Item(id: "b")] }
    try await a.group.save()
    let store = database.connect()
    let flux = Flux()
    let group = Flux.$current.withValue(flux) { SharedGroup("stock", in: store) }
    func make() -> Substance<Stock> {
      Flux.$current.withValue(flux) { Substance<Stock>(name: "stock", archive: true, in: group) }
    }
    var first: Substance<Stock>? = make()
    try await group.opened()
    store.onStep = { _ in .unreachable }
    first?.mix { $0.left.label = "first" }
    first = nil
    let second = make()
    a.stock.mix { $0.left.items.remove(id: "a") }
    try await a.group.save()
    second.mix { $0.right.label = "second" }
    store.onStep = nil
    try await group.save(timeout: .seconds(20))
    try await group.opened()
    try await group.save(timeout: .seconds(20))
    #expect(Array(second.state.left.items.ids) == ["b"])
    try await a.group.reached(try await group.save())
    #expect(Array(a.stock.state.left.items.ids) == ["b"])
    #expect(a.stock.state.left.label == "first")
    #expect(a.stock.state.right.label == "second")
  }

  @Test func `a place that a restored backup has lost is never reached, and waiting for it fails`()
    async throws
  {
    let (a, b) = (Process(database), Process(database))
    a.stock.mix { $0.counts["n"] = 1 }
    try await a.group.save()
    let backup = database.snapshot
    for number in 2...9 {
      a.stock.mix { $0.counts["n"] = number }
      try await a.group.save()
    }
    let place = try await a.group.save()
    try await b.group.reached(place)
    let later = SharedPlace(incarnation: place.incarnation, number: place.number + 1)
    let waiting = Task { try await b.group.reached(later, timeout: .seconds(20)) }
    try await Task.sleep(for: .milliseconds(50))
    database.snapshot = backup
    await #expect(throws: SharingError.self) { try await waiting.value }
    try await a.group.opened()
    #expect(a.stock.state.counts["n"] == 1)
    #expect(b.group.status.state.restorations == 1)
  }

  @Test func `optional Entities that become nil are saved in their state`() async throws {
    struct Extra: FlaskState, Equatable {
      var items: Entities<Item>? = []
    }
    let flux = Flux()
    let (store, other) = (database.connect(), database.connect())
    func make(_ store: SimulatedStore) -> (SharedGroup, Substance<Extra>) {
      Flux.$current.withValue(flux) {
        let group = SharedGroup("extra", in: store)
        return (group, Substance<Extra>(name: "extra", archive: true, in: group))
      }
    }
    let (group, extra) = make(store)
    extra.mix { $0.items?.append(Item(id: "a")) }
    try await group.save()
    extra.mix { $0.items = nil }
    try await group.save()
    #expect(make(other).1.state.items == nil)
  }

  @Test func `texts that are equal as Unicode, and differ in their bytes, are different`() async throws {
    let (a, b) = (Process(database), Process(database))
    a.stock.mix {
      $0.left.items = [Item(id: "a", tags: ["\u{e9}"])]; $0.left.label = "\u{e9}"
    }
    try await a.group.save()
    a.stock.mix { $0.left.label = "e\u{301}" }
    try await b.group.reached(try await a.group.save())
    #expect(Array(b.stock.state.left.label.unicodeScalars).count == 2)
  }

  @Test func `a substance can be made in the closure of a transaction`() async throws {
    let a = Process(database)
    let made = Recorder<Substance<Stock>>()
    try await a.group.transact(a.stock) { [group = a.group, flux = a.flux] stock in
      stock.left.label = "a"
      Flux.$current.withValue(flux) {
        made.append(Substance<Stock>(name: "another", archive: true, in: group))
      }
    }
    made.all.first?.mix { $0.left.label = "b" }
    try await a.group.save()
    #expect(database.rows(of: "stock").map(\.key.part).contains("another"))
  }

  @Test(arguments: [0, 2]) func `20: hints that are lost or doubled delay a change by a second at most`(
    hints: Int
  ) async throws {
    let (a, b) = (Process(database), Process(database))
    a.store.hintCount = hints
    a.stock.mix { $0.left.label = "a" }
    for await left in b.stock.values(of: \.left) where left.label == "a" { break }
    // At rest no process commits.
    try await b.group.save()
    try await a.group.save()
    let count = database.commitCount(of: "stock")
    try await Task.sleep(for: .milliseconds(100))
    #expect(database.commitCount(of: "stock") == count)
  }
}
