import FlaskDiff
import FlaskEntities
import Testing

@testable import FlaskCore
@testable import FlaskScopes
@testable import KernelFixtures
import TestSupport

/// Scopes of elements of entities, which say by themselves what has changed.
@Suite(.ownFlux) struct EntityScopeTests {
  /// All of them have the same hash.
  struct Name: Hashable, Sendable {
    let text: String

    func hash(into hasher: inout Hasher) { hasher.combine(0) }
  }

  struct Row: Identifiable, Sendable, Equatable {
    let id: Int
    var title = ""
  }

  struct Person: Identifiable, Sendable {
    let id: Name
    var age = 0
    var pets: Entities<Row> = [Row(id: 1)]
  }

  struct Table: Sendable {
    var rows: Entities<Row> = [Row(id: 1), Row(id: 2)]
    var people = Entities(["ada", "bob"].map { Person(id: Name(text: $0)) })
  }

  let table = Substance(Table())
  let heard = Recorder<String>()

  @Test func `identities of the same hash are distinguished`() throws {
    let tokens = try ["ada", "bob"].map { [heard] name in
      try #require(table.scope(\.people, id: Name(text: name)))
        .observe(\.age) { heard.append("\(name) \($0) → \($1)") }
    }
    table.mix { $0.people[id: Name(text: "bob")]?.age = 2 }
    table.mix { $0.people[id: Name(text: "ada")]?.age = 1 }
    table.mix { $0.people.remove(id: Name(text: "bob")) }
    table.mix { $0.people[id: Name(text: "ada")]?.age = 3 }
    #expect(heard.all == ["bob 0 → 2", "ada 0 → 1", "ada 1 → 3"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `of containers in elements of one hash each is known as long as it is needed`() throws {
    func pet(of name: String) throws -> Scope<Row> {
      try #require(table.scope(\.people, id: Name(text: name))?.scope(\.pets, id: 1))
    }
    let hubs = Flux.current.containerObservers
    var pets = [try pet(of: "ada"), try pet(of: "bob")]
    #expect(hubs.count == 3)
    pets.removeFirst()
    #expect(hubs.count == 2)
    var token: SubstanceObservation? = pets[0].observe(\.title) { [heard] in heard.append("\($0) → \($1)") }
    try pet(of: "bob").mix { $0.title = "a" }
    try pet(of: "ada").mix { $0.title = "b" }
    #expect(heard.all == [" → a"])
    #expect(hubs.count == 2)
    withExtendedLifetime(token) {}
    token = nil
    pets = []
    #expect(hubs.count == 0)
  }

  @Test func `who observes whether an element is there hears of nothing else`() throws {
    let row = try #require(table.scope(\.rows, id: 2))
    let tokens = [
      row.observePresence { [heard] in heard.append("present \($0)") },
      row.observe { [heard] in heard.append("\($0.title) → \($1.title)") },
    ]
    row.mix { $0.title = "a" }
    table.mix { $0.rows.move(id: 2, to: 0) }
    table.mix { $0.rows.remove(id: 2) }
    table.mix { $0.rows.append(Row(id: 2, title: "b")) }
    row.mix { $0.title = "c" }
    #expect(heard.all == [" → a", "present false", "present true"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `who is notified before the observers of an element reads the last value of one that goes`()
    throws
  {
    // Told before those who observe one key.
    let scopes = Recorder<Scope<Row>>()
    let token = table.mixableScope.observe { [heard] _, new in
      for scope in scopes.all where new.rows[id: 1] == nil { heard.append(scope.title) }
    }
    scopes.append(try #require(table.scope(\.rows, id: 1)))
    table.mix { $0.rows[id: 1]?.title = "a" }
    table.mix { $0.rows[id: 1]?.title = "last" }
    table.mix { $0.rows.remove(id: 1) }
    #expect(heard.all == ["last"])
    withExtendedLifetime(token) {}
  }

  @Test func `the values of an element end when it goes`() async throws {
    let row = try #require(table.scope(\.rows, id: 1))
    var values = row.values(of: \.title).makeAsyncIterator()
    #expect(await values.next() == "")
    table.mix { $0.rows[id: 1]?.title = "a" }
    #expect(await values.next() == "a")
    table.mix { $0.rows.remove(id: 1) }
    #expect(await values.next() == nil)
  }

  @Test func `a scope that is dropped keeps no element, though others lead to the same elements`() throws {
    final class Picture: Sendable {}
    struct Album: Sendable { var pages: Entities<Page> }
    struct Page: Identifiable, Sendable {
      let id: Int
      let picture = Picture()
    }
    let album = Substance(Album(pages: [Page(id: 1), Page(id: 2), Page(id: 3)]))
    weak var picture: Picture?
    picture = album.pages[0].picture
    let other = try #require(album.scope(\.pages, id: 2))
    do {
      let page = try #require(album.scope(\.pages, id: 1))
      // From here on the scopes are listed.
      album.mix { $0.pages.remove(id: 3) }
      #expect(page.picture === picture)
    }
    album.mix { $0.pages.remove(id: 1) }
    album.mix { $0.pages.move(id: 2, to: 0) }
    #expect(picture == nil)
    #expect(other.isPresent)
  }

  @Test
  func `two observers are notified in the order in which they were made, not in that of their elements`()
    throws
  {
    let tokens = try [2, 1].map { [heard] id in
      try #require(table.scope(\.rows, id: id)).observe { _, new in heard.append("\(new.id)") }
    }
    table.mix {
      $0.rows[id: 1]?.title = "a"
      $0.rows[id: 2]?.title = "b"
    }
    #expect(heard.all == ["2", "1"])
    withExtendedLifetime(tokens) {}
  }

  @MainActor @Test func `an observer that another one cancels is not notified of what is being reported`()
    throws
  {
    let row = try #require(table.scope(\.rows, id: 1))
    let tokens = Recorder<SubstanceObservation>()
    for name in ["first", "second", "third"] {
      tokens.append(
        row.observe(\.title) { @MainActor [heard] _, new in
          heard.append("\(name) \(new)")
          if name == "first" { tokens.all[1].cancel() }
        }
      )
    }
    row.mix { $0.title = "a" }
    row.mix { $0.title = "b" }
    #expect(heard.all == ["first a", "third a", "first b", "third b"])
  }
}
