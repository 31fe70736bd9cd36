internal import FlaskPrimitives

/// Keeps a copy of a collection as `Entities`, which changes as the collection does.
final class EntitiesCopy<Elements: RandomAccessCollection & Sendable>: Sendable
where Elements.Element: Identifiable & Sendable {
  private struct State {
    var elements: Elements
    var copy: Entities<Elements.Element>
  }
  private let state = Lock<State?>(nil)

  func entities(of elements: Elements) -> Entities<Elements.Element> {
    let old = state.withLock { $0 }
    let new = State(elements: elements, copy: Self.copy(of: elements, after: old))
    let last = state.withLock { state in
      defer { state = new }
      return state
    }
    return withExtendedLifetime(last) { new.copy }
  }

  private static func copy(of elements: Elements, after old: State?) -> Entities<Elements.Element> {
    // If two elements have the same identity, the copy has only one of them. Its offsets then differ from those of the
    // collection, so the changes can't be applied, and a new copy is made.
    guard let old, old.copy.count == old.elements.count else {
      return Entities(elements) { present, _ in present }
    }
    let changes = ElementChanges(from: old.elements, to: elements)
    if changes.isEmpty { return old.copy }
    var copy = old.copy
    for offset in (changes.removals.map(\.offset) + changes.moves.map(\.oldOffset)).sorted().reversed() {
      copy.remove(at: offset)
    }
    var coming = changes.insertions.map { ($0.offset, $0.element) }
    coming += changes.moves.map { ($0.newOffset, $0.element) }
    for (offset, element) in coming.sorted(by: { $0.0 < $1.0 }) {
      if !copy.insert(element, at: offset) { return Entities(elements) { present, _ in present } }
    }
    for update in changes.updates { copy[update.newOffset] = update.element }
    return copy.count == elements.count ? copy : Entities(elements) { present, _ in present }
  }
}
