import FlaskEntities
import Testing

@testable import FlaskCore
@testable import FlaskDerived
import FlaskScopes

/// Lists are observed by element.
@Suite(.ownFlux) struct ElementsTests {
  struct Row: Codable, Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
  }

  struct Table: FlaskState {
    var rows: [Row] = []
    var people: [String: Int] = [:]
    var note = ""
    var many = Entities<Row>()
  }

  let table = Substance(Table(rows: [Row(id: 1), Row(id: 2), Row(id: 3)], people: ["ada": 1]))

  private func text(_ changes: ElementChanges<Row>) -> String {
    let inserted = changes.insertions.map { "+\($0.element.id)@\($0.offset)" }
    let removed = changes.removals.map { "-\($0.element.id)@\($0.offset)" }
    let moved = changes.moves.map { "\($0.element.id):\($0.oldOffset)→\($0.newOffset)" }
    let updated = changes.updates.map { "\($0.element.id)=\($0.element.title)" }
    return (inserted + removed + moved + updated).joined(separator: " ")
  }

  @Test func `insertions, removals, moves and updates are told by identity`() {
    let heard = Recorder<String>()
    let token = table.observe(elements: \.rows) { [self] in heard.append(text($0)) }
    table.mix { $0.rows.append(Row(id: 4)) }
    table.mix { $0.note = "nothing of the rows" }
    table.mix { $0.rows.remove(at: 0) }
    table.mix { $0.rows[0].title = "two" }
    table.mix { $0.rows = [$0.rows[2], $0.rows[0], $0.rows[1]] }
    table.mix { $0.rows[0].title += "" }
    #expect(heard.all == ["+4@3", "-1@0", "2=two", "4:2→0"])
    token.cancel()
  }

  @Test func `entities and dictionaries are told, too`() {
    let heard = Recorder<String>()
    let tokens = [
      table.observe(elements: \.many) { [self] in heard.append(text($0)) },
      table.observe(entries: \.people) { changes in
        heard.append(
          "\(changes.insertions.map(\.key)) \(changes.removals.map(\.key)) \(changes.updates.map(\.value))"
        )
      },
    ]
    table.mix { $0.many.append(Row(id: 7)) }
    table.mix { $0.many[id: 7]?.title = "seven" }
    table.mix { $0.people["bob"] = 2 }
    table.mix { $0.people["ada"] = 3 }
    table.mix { $0.people["ada"] = nil }
    #expect(heard.all == ["+7@0", "7=seven", #"["bob"] [] []"#, "[] [] [3]", #"[] ["ada"] []"#])
    withExtendedLifetime(tokens) {}
  }

  @Test func `a scope and a derived list are told by element`() {
    let heard = Recorder<String>()
    let long = Derived { [table] in table.rows.filter { $0.title.count > 2 } }
    let whole = table.mixableScope
    let tokens = [
      long.observeElements { [self] in heard.append("derived \(text($0))") },
      whole.observe(elements: \.rows) { [self] in heard.append("scope \(text($0))") },
    ]
    table.mix { $0.rows[1].title = "long" }
    #expect(heard.all == ["scope 2=long", "derived +2@0"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `as a sequence they come as what is there, and what has changed since`() async {
    var iterator = table.elements(of: \.rows).makeAsyncIterator()
    #expect(await iterator.next().map(text) == "+1@0 +2@1 +3@2")
    table.mix { $0.rows.removeLast() }
    table.mix { $0.rows[0].title = "one" }
    table.mix { $0.note = "nothing of the rows" }
    #expect(await iterator.next().map(text) == "-3@2 1=one")
  }

  @Test func `derived values and scopes are sequences`() async {
    let count = Derived { [table] in table.rows.count }
    var counts = count.values().makeAsyncIterator()
    var notes = table.mixableScope.values(of: \.note).makeAsyncIterator()
    #expect(await counts.next() == 3)
    #expect(await notes.next() == "")
    table.mix { $0.rows = [] }
    table.mix { $0.note = "a" }
    table.mix { $0.note = "b" }
    #expect(await counts.next() == 0)
    #expect(await notes.next() == "b")
  }

  @Test func `a scope of an element of entities follows it, and ends with it`() async {
    table.mix { $0.many = Entities((0..<1000).map { Row(id: $0) }) }
    let scopes = (0..<1000).compactMap { table.scope(\.many, id: $0) }
    let heard = Recorder<String>()
    let tokens = scopes.enumerated().map { number, scope in
      scope.observe(\.title) { _, new in heard.append("\(number): \(new)") }
    }
    table.mix { $0.many[id: 7]?.title = "seven" }
    table.mix { $0.many.move(id: 7, to: 900) }
    scopes[7].mix { $0.title += "!" }
    table.mix { $0.many.remove(id: 7) }
    let outcome = await scopes[7].mix { $0.title = "lost" }.outcome
    #expect(heard.all == ["7: seven", "7: seven!"])
    #expect("\(outcome)" == "gone")
    #expect(scopes[7].title == "seven!")
    #expect(!scopes[7].isPresent && scopes[8].isPresent)
    withExtendedLifetime(tokens) {}
  }

  @Test @MainActor func `on the main actor an observer of an element of entities hears at once, and in turn`()
    throws
  {
    table.mix { $0.many = [Row(id: 1), Row(id: 2)] }
    let row = try #require(table.scope(\.many, id: 2))
    var heard: [String] = []
    let token = row.observe(\.title) { old, new in
      MainActor.assertIsolated()
      heard.append("\(old) → \(new)")
    }
    row.mix { $0.title = "here" }
    row.mix { $0.title += "" }
    #expect(heard == [" → here"])
    // Waits for the main actor, which is busy with this.
    OtherThread.runAndWait { row.mix(isolation: nil) { $0.title = "there" } }
    #expect(heard == [" → here"])
    row.mix { $0.title = "again" }
    #expect(heard == [" → here", "here → there", "there → again"])
    token.cancel()
    row.mix { $0.title = "late" }
    #expect(heard.count == 3)
  }
}
