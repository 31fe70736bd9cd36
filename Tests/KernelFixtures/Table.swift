import FlaskDiff
import FlaskPrimitives

/// A table that applies the changes of a view, and nothing else.
final class Table<Element: Identifiable & Sendable>: Sendable {
  private let content = Lock<[Element]>([])

  var elements: [Element] { content.withLock { $0 } }

  func apply(_ changes: ElementChanges<Element>) {
    content.withLock { elements in
      var coming = changes.insertions.map { ($0.offset, $0.element) }
      coming += changes.moves.map { ($0.newOffset, $0.element) }
      for offset in (changes.removals.map(\.offset) + changes.moves.map(\.oldOffset)).sorted().reversed() {
        elements.remove(at: offset)
      }
      for (offset, element) in coming.sorted(by: { $0.0 < $1.0 }) { elements.insert(element, at: offset) }
      for update in changes.updates { elements[update.newOffset] = update.element }
    }
  }
}
