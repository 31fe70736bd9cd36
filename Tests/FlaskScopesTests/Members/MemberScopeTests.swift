import FlaskEntities
import Synchronization
import Testing

@testable import FlaskCore
@testable import FlaskScopes
@testable import KernelFixtures
import TestSupport

/// An element that counts how often its identity is read.
private struct Counted: Identifiable, Sendable {
  static let reads = Atomic(0)

  let number: Int

  var id: Int {
    Counted.reads.add(1, ordering: .relaxed)
    return number
  }
}

private struct CountedShelf: Sendable { var items = [Counted(number: 0)] }

/// Scopes of what can be gone: the content of an optional, an element, an entry.
@Suite(.ownFlux) struct MemberScopeTests {
  let app = Substance(AppState(rows: (0..<4).map { AppState.Row(id: $0, title: "row \($0)") }))

  @Test func `an optional without content gives no scope`() throws {
    #expect(app.scope(\.detail) == nil)
    app.mix { $0.detail = AppState.Profile(name: "Ada", age: 36) }
    let detail = try #require(app.scope(\.detail))
    detail.mix { $0.age += 1 }
    #expect(app.detail == AppState.Profile(name: "Ada", age: 37))
    app.scope(whole: \.detail).mix { $0 = nil }
    #expect(app.detail == nil)
  }

  @Test func `what was removed reads as its last value, and is not mixed`() async throws {
    let row = try #require(app.scope(\.rows, id: 2))
    let title = row.scope(\.title)
    row.mix { $0.title = "last" }
    app.mix { $0.rows.remove(at: 2) }
    #expect(row.title == "last")
    #expect(title.value == "last")
    #expect(!row.isPresent && !title.isPresent)
    #expect("\(await title.mix { $0 = "never" }.outcome)" == "gone")
    await #expect(throws: FluxError.gone) { try await row.transaction { $0.title = "never" } }
    #expect("\(await Flask.mix(app.scope(\.count), row) { count, _ in count = 9 }.outcome)" == "gone")
    #expect(app.count == 0)
    #expect(app.rows.map(\.id) == [0, 1, 3])
    app.mix { $0.rows.insert(AppState.Row(id: 2, title: "again"), at: 0) }
    #expect(title.value == "again")
    title.mix { $0 = "mixed" }
    #expect(app.rows[0].title == "mixed")
  }

  @Test func `an element is followed wherever it moves`() throws {
    let row = try #require(app.scope(\.rows, id: 3))
    let heard = Recorder<String>()
    let token = row.observe(\.title) { heard.append("\($0) → \($1)") }
    app.mix { $0.rows.reverse() }
    app.mix { $0.rows[0].title = "first" }
    app.mix {
      $0.rows.swapAt(0, 2)
      $0.rows[2].title = "moved"
    }
    #expect(heard.all == ["row 3 → first", "first → moved"])
    withExtendedLifetime(token) {}
  }

  @Test func `an element whose identity takes no part in comparisons is followed, too`() throws {
    struct Item: Identifiable, Sendable {
      let _id: Int
      var title = "same"
      var id: Int { _id }
    }
    struct Shelf: Sendable { var items = (0..<3).map { Item(_id: $0) } }
    let shelf = Substance(Shelf())
    let item = try #require(shelf.scope(\.items, id: 0))
    let heard = Recorder<String>()
    let token = item.observe(\.title) { heard.append("\($0) → \($1)") }
    shelf.mix { $0.items[1].title = "a" }
    // Of the first and the last one no more than the identities differ.
    shelf.mix { $0.items = [Item(_id: 2), Item(_id: 1, title: "b"), Item(_id: 0)] }
    shelf.mix { $0.items[2].title = "new" }
    #expect(heard.all == ["same → new"])
    withExtendedLifetime(token) {}
  }

  @Test func `an entry of a dictionary`() throws {
    #expect(app.scope(\.people, key: "ada") == nil)
    app.mix { $0.people["ada"] = AppState.Profile(name: "Ada", age: 1) }
    let ada = try #require(app.scope(\.people, key: "ada"))
    let heard = Recorder<String>()
    let tokens = [
      ada.observe { heard.append("\($0.age) → \($1.age)") },
      ada.observePresence { heard.append("present \($0)") },
    ]
    ada.mix { $0.age = 2 }
    app.mix { $0.people["bob"] = AppState.Profile() }
    app.mix { $0.people["ada"] = nil }
    app.mix { $0.people["ada"] = AppState.Profile(name: "Ada", age: 3) }
    ada.mix { $0.age = 4 }
    #expect(heard.all == ["1 → 2", "present false", "present true"])
    #expect(ada.age == 4)
    withExtendedLifetime(tokens) {}
  }

  @Test func `scopes nest, and a part inside what was removed is absent`() async throws {
    app.mix { $0.rows[1].tags = [AppState.Tag(id: 7, text: "x"), AppState.Tag(id: 8)] }
    app.mix { $0.rows[1].note = "n" }
    let row = try #require(app.scope(\.rows, id: 1))
    let tag = try #require(row.scope(\.tags, id: 7))
    let note = try #require(row.scope(\.note))
    let heard = Recorder<String>()
    let tokens = [
      tag.observe(\.text) { heard.append("tag \($0) → \($1)") },
      tag.observePresence { heard.append("tag \($0)") },
      note.observe { heard.append("note \($0) → \($1)") },
    ]
    tag.mix { $0.text = "y" }
    note.mix { $0 = "m" }
    app.mix { $0.rows.shuffle() }
    let kept = row.value
    app.mix { $0.rows.removeAll { $0.id == 1 } }
    #expect(tag.text == "y")
    #expect("\(await tag.mix { $0.text = "z" }.outcome)" == "gone")
    app.mix { $0.rows.append(kept) }
    tag.mix { $0.text = "z" }
    note.mix { $0 = "o" }
    #expect(heard.all == ["tag x → y", "note n → m", "tag false", "tag true"])
    #expect(row.tags.map(\.text) == ["z", ""])
    withExtendedLifetime(tokens) {}
  }

  struct Table: Sendable {
    var titles = [1: "a title that lies on the heap"]
    var rows: Entities<AppState.Tag> {
      get { Entities(titles.sorted { $0.key < $1.key }.map { AppState.Tag(id: $0.key, text: $0.value) }) }
      set { titles = Dictionary(uniqueKeysWithValues: newValue.map { ($0.id, $0.text) }) }
    }
  }

  @MainActor @Test func `elements that a computed property makes are reported as long as they are needed`()
    throws
  {
    let table = Substance(Table())
    let row = try #require(table.scope(\.rows, id: 1))
    let heard = Recorder<String>()
    let tokens = [
      row.observe(\.text, isolation: nil) { heard.append("\($0.count) → \($1.count)") },
      row.observe(\.text) { @MainActor in heard.append("main \($0.count) → \($1.count)") },
    ]
    table.mix { $0.titles[1] = "another title that lies on the heap" }
    table.mix { $0.titles[1] = "short" }
    #expect(heard.all == ["29 → 35", "main 29 → 35", "35 → 5", "main 35 → 5"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `observers of elements are notified in the order in which they were made`() throws {
    let heard = Recorder<Int>()
    let order = [2, 0, 3, 1, 0, 2]
    let tokens = try order.enumerated().map { number, id in
      try #require(app.scope(\.rows, id: id)).observe { _, _ in heard.append(number) }
    }
    app.mix { for index in $0.rows.indices { $0.rows[index].title += "!" } }
    #expect(heard.all == [0, 1, 2, 3, 4, 5])
    withExtendedLifetime(tokens) {}
  }

  @Test func `who begins inside an operation is notified of the next one`() throws {
    let row = try #require(app.scope(\.rows, id: 0))
    let heard = Recorder<String>()
    let late = Recorder<SubstanceObservation>()
    // Told before those who observe one key.
    let token = app.mixableScope.observe { _, _ in
      late.append(row.observe { old, new in heard.append("\(old.title) → \(new.title)") })
    }
    app.mix { $0.rows[0].title = "a" }
    token.cancel()
    app.mix { $0.rows[0].title = "b" }
    #expect(heard.all == ["a → b"])
  }

  @Test func `who is notified before the observers of elements reads the last value of one that goes`() throws
  {
    let heard = Recorder<String>()
    let scopes = Recorder<Scope<AppState.Row>>()
    // Told before those who observe one key.
    let token = app.mixableScope.observe { _, new in
      for scope in scopes.all where new.rows.count < 4 { heard.append(scope.title) }
    }
    scopes.append(try #require(app.scope(\.rows, id: 2)))
    app.mix { $0.rows[2].title = "a" }
    app.mix { $0.rows[2].title = "last" }
    app.mix { $0.rows.remove(at: 2) }
    #expect(heard.all == ["last"])
    withExtendedLifetime(token) {}
  }

  @Test @MainActor func `on the main actor an observer is called at once, with the states of the commit`()
    async throws
  {
    let row = try #require(app.scope(\.rows, id: 1))
    var heard: [String] = []
    let token = row.observe(\.title) { old, new in
      MainActor.assertIsolated()
      heard.append("\(old) → \(new)")
    }
    row.mix { $0.title = "here" }
    #expect(heard == ["row 1 → here"])
    let app = app
    await OtherThread.run {
      row.mix(isolation: nil) { $0.title = "there" }
      app.mix(isolation: nil) { $0.rows.remove(at: 1) }
    }
    for _ in 0..<1_000 where heard.count < 2 { await Task.yield() }
    #expect(heard == ["row 1 → here", "here → there"])
    withExtendedLifetime(token) {}
  }

  @Test func `scopes and observations that are dropped leave nothing behind`() throws {
    let hubs = Flux.current.containerObservers
    for number in 0..<Workload.count(10_000, full: 100_000) {
      let row = try #require(app.scope(\.rows, id: number % 4))
      let token = row.observe { _, _ in }
      if number % 100 == 0 { app.mix { $0.rows[0].title = "\(number)" } }
      withExtendedLifetime((row, token)) {}
    }
    #expect(hubs.count == 0)
    #expect(app.cell.listeners.isEmpty)
  }

  @Test func `an observation of an element holds no substance, and its handler goes with it`() throws {
    final class Token: Sendable {}
    weak var held: Token?
    weak var substance: Substance<AppState>?
    var observation: SubstanceObservation?
    do {
      let app = Substance(AppState(rows: [AppState.Row(id: 1)]))
      let token = Token()
      observation = try #require(app.scope(\.rows, id: 1)).observe { _, _ in withExtendedLifetime(token) {} }
      (held, substance) = (token, app)
    }
    #expect(substance == nil)
    observation?.cancel()
    observation = nil
    #expect(held == nil)
    #expect(Flux.current.containerObservers.count == 0)
  }

  @Test func `the last element is followed where all before it have changed and one has come`() throws {
    let row = try #require(app.scope(\.rows, id: 3))
    let heard = Recorder<String>()
    let token = row.observe(\.title) { heard.append("\($0) → \($1)") }
    app.mix { app in
      for index in 0..<3 { app.rows[index].title = "changed" }
      app.rows.insert(AppState.Row(id: 9), at: 0)
    }
    app.mix { $0.rows[4].title = "last" }
    row.mix { $0.title += "!" }
    #expect(heard.all == ["row 3 → last", "last → last!"])
    #expect(app.rows[4].title == "last!")
    withExtendedLifetime(token) {}
  }

  @Test func `the last element is not searched for after others have come before it`() throws {
    let shelf = Substance(CountedShelf())
    let item = try #require(shelf.scope(\.items, id: 0))
    shelf.mix { $0.items.insert(contentsOf: (1...1000).map { Counted(number: $0) }, at: 0) }
    Counted.reads.store(0, ordering: .relaxed)
    let number = item.value.number
    #expect(number == 0)
    #expect(Counted.reads.load(ordering: .relaxed) < 10)
  }
}
