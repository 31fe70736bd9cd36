import FlaskEntities
import TestSupport
import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import FlaskScopes
@testable import KernelFixtures

/// Observers of elements of a scope and of a derived list, notified in one order.
@Suite(.ownFlux) struct ElementOrderTests {
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

  @Test func `a scope and a derived list are reported by element`() {
    let heard = Recorder<String>()
    let long = Derived { [table] in table.rows.filter { $0.title.count > 2 } }
    let whole = table.mixableScope
    let tokens = [
      long.observe(elements: \.self) { [self] in heard.append("derived \(text($0))") },
      whole.observe(elements: \.rows) { [self] in heard.append("scope \(text($0))") },
    ]
    table.mix { $0.rows[1].title = "long" }
    #expect(heard.all == ["scope 2=long", "derived +2@0"])
    withExtendedLifetime(tokens) {}
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
}
