import FlaskEntities
import TestSupport
import Testing

@testable import FlaskCore
@testable import FlaskScopes
@testable import KernelFixtures

/// Elements of a list, observed through their scopes, and lists of entities.
@Suite(.ownFlux) struct ElementObserverTests {
  struct Row: Codable, Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
  }

  struct Table: FlaskState {
    var rows: [Row] = []
    var note = ""
    var many = Entities<Row>()
  }

  let table = Substance(Table(rows: [Row(id: 1), Row(id: 2), Row(id: 3)]))

  private func text(_ changes: ElementChanges<Row>) -> String {
    let inserted = changes.insertions.map { "+\($0.element.id)@\($0.offset)" }
    let updated = changes.updates.map { "\($0.element.id)=\($0.element.title)" }
    return (inserted + updated).joined(separator: " ")
  }

  @Test func `changes of entities are reported by element`() {
    let heard = Recorder<String>()
    let token = table.observe(elements: \.many) { [self] in heard.append(text($0)) }
    table.mix { $0.many.append(Row(id: 7)) }
    table.mix { $0.many[id: 7]?.title = "seven" }
    #expect(heard.all == ["+7@0", "7=seven"])
    withExtendedLifetime(token) {}
  }

  @Test func `the notes of a scope are a sequence`() async {
    var notes = table.mixableScope.values(of: \.note).makeAsyncIterator()
    #expect(await notes.next() == "")
    table.mix { $0.note = "a" }
    table.mix { $0.note = "b" }
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
    OtherThread.runBlocking { row.mix(isolation: nil) { $0.title = "there" } }
    #expect(heard == [" → here"])
    row.mix { $0.title = "again" }
    #expect(heard == [" → here", "here → there", "there → again"])
    token.cancel()
    row.mix { $0.title = "late" }
    #expect(heard.count == 3)
  }
}
