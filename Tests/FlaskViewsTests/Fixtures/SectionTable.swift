import FlaskPrimitives
import FlaskViews

/// A table of sections that applies the changes of a view in the documented order, and nothing else.
final class SectionTable<Key: Hashable & Sendable, Row: Identifiable & Sendable>: Sendable {
  private let content = Lock<[(key: Key, rows: [Row])]>([])

  var count: Int { content.withLock { $0.reduce(0) { $0 + $1.rows.count } } }
  var identities: [[Row.ID]] { content.withLock { $0.map { $0.rows.map(\.id) } } }
  var texts: [String] { content.withLock { $0.map { "\($0.key): \($0.rows)" } } }

  func apply(_ changes: SectionChanges<Key, Row>) {
    content.withLock { table in
      for place in (changes.removals.map(\.place) + changes.moves.map(\.oldPlace)).sorted().reversed() {
        table[place.section].rows.remove(at: place.row)
      }
      for section in changes.removedSections.reversed() {
        precondition(table[section.index].rows.isEmpty)
        table.remove(at: section.index)
      }
      for section in changes.insertedSections { table.insert((section.key, []), at: section.index) }
      let coming =
        changes.insertions.map { ($0.place, $0.element) } + changes.moves.map { ($0.newPlace, $0.element) }
      for (place, element) in coming.sorted(by: { $0.0 < $1.0 }) {
        table[place.section].rows.insert(element, at: place.row)
      }
      for update in changes.updates {
        table[update.newPlace.section].rows[update.newPlace.row] = update.element
      }
    }
  }
}
