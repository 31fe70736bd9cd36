import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

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
  }

  let table = Substance(Table(rows: [Row(id: 1), Row(id: 2), Row(id: 3)], people: ["ada": 1]))

  private func text(_ changes: ElementChanges<Row>) -> String {
    let inserted = changes.insertions.map { "+\($0.element.id)@\($0.offset)" }
    let removed = changes.removals.map { "-\($0.element.id)@\($0.offset)" }
    let moved = changes.moves.map { "\($0.element.id):\($0.oldOffset)→\($0.newOffset)" }
    let updated = changes.updates.map { "\($0.element.id)=\($0.element.title)" }
    return (inserted + removed + moved + updated).joined(separator: " ")
  }

  @Test func `insertions, removals, moves and updates are reported by identity`() {
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

  @Test func `entries of dictionaries are reported, too`() {
    let heard = Recorder<String>()
    let token = table.observe(entries: \.people) { changes in
      heard.append(
        "\(changes.insertions.map(\.key)) \(changes.removals.map(\.key)) \(changes.updates.map(\.value))"
      )
    }
    table.mix { $0.people["bob"] = 2 }
    table.mix { $0.people["ada"] = 3 }
    table.mix { $0.people["ada"] = nil }
    #expect(heard.all == [#"["bob"] [] []"#, "[] [] [3]", #"[] ["ada"] []"#])
    withExtendedLifetime(token) {}
  }

  @Test func `as a sequence they come as what is there, and what has changed since`() async {
    var iterator = table.elementChanges(of: \.rows).makeAsyncIterator()
    #expect(await iterator.next().map(text) == "+1@0 +2@1 +3@2")
    table.mix { $0.rows.removeLast() }
    table.mix { $0.rows[0].title = "one" }
    table.mix { $0.note = "nothing of the rows" }
    #expect(await iterator.next().map(text) == "-3@2 1=one")
  }
}
