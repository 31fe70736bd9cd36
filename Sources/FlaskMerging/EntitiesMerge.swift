internal import FlaskEntities

/// Merges elements of one type.
///
/// - Returns: what has become of an element that has been changed here and elsewhere; with no `theirs` what is here, if
///   it is not the same as the base.
package typealias ElementMerge = (_ base: Any?, _ mine: Any, _ theirs: Any?) -> Any?

/// Merges entities that were changed here and elsewhere, element by element: one that was changed on one side only is
/// taken from there; one that both have changed is merged. What was removed on one side and changed on the other stays
/// as it is here. The order is theirs; what was inserted or moved here stands behind the element that it stands behind
/// here.
struct EntitiesMerge<Element: Identifiable> {
  private let base: Entities<Element>
  private let mine: Entities<Element>
  private var merged: Entities<Element>

  /// What becomes of them; mine if the elements are of different types.
  static func merge<Content: TypedEntitiesContent>(
    _ mine: Content,
    base: EntitiesContent?,
    theirs: EntitiesContent,
    _ merge: ElementMerge
  ) -> EntitiesContent where Element == Content.Element {
    guard let theirs = theirs as? Content else { return mine }
    let base = base as? Content ?? Content([])
    guard let edit = mine.edit(from: base) else { return mine }
    var all = EntitiesMerge(base: base.entities, mine: mine.entities, merged: theirs.entities)
    all.perform(edit, merge)
    return Content(all.merged)
  }

  private mutating func perform(_ edit: EntitiesEdit, _ merge: ElementMerge) {
    for offset in edit.removedOffsets { merged.remove(id: base[offset].id) }
    var placed = edit.insertedOffsets + edit.moves.map(\.new).filter { merged.contains(id: mine[$0].id) }
    for offset in edit.updatedOffsets {
      let (old, own) = (base[id: mine[offset].id], mine[offset])
      if merge(old, own, nil) == nil { continue }
      if let other = merged[id: own.id] {
        merged[id: own.id] = merge(old, own, other) as? Element ?? own
      } else {
        placed.append(offset)
      }
    }
    for offset in placed.sorted() {
      let own = mine[offset]
      let other = merged.remove(id: own.id)
      let isNew = !base.contains(id: own.id)
      merged.insert(
        (other.flatMap { isNew ? merge(nil, own, $0) as? Element : $0 }) ?? own,
        at: place(of: offset)
      )
    }
  }

  /// Where an element of mine comes: behind the nearest one before it that is there, and behind what others have
  /// inserted there.
  private func place(of offset: Int) -> Int {
    let before = mine[..<offset].last { merged.contains(id: $0.id) }
    var place = before.flatMap { merged.index(id: $0.id) }.map { $0 + 1 } ?? 0
    while place < merged.count, !mine.contains(id: merged[place].id), !base.contains(id: merged[place].id) {
      place += 1
    }
    return place
  }
}
