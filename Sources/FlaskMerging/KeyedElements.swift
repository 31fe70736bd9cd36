internal import FlaskCore
internal import FlaskEntities

/// The merge of elements with identities that were changed here and elsewhere.
///
/// An element that only one side has changed is taken from that side. An element that both sides have changed is
/// merged. If one side has removed an element that the other has changed, this side decides. The order is that of the
/// other side. An element that was inserted or moved here comes behind its nearest predecessor here that still exists.
struct KeyedElements {
  private struct Element: Identifiable {
    let id: String
    let value: ArchiveValue
  }

  private let base: Entities<Element>
  private let mine: Entities<Element>
  private var merged: Entities<Element>

  static func merge(base: [ArchiveValue], mine: [ArchiveValue], theirs: [ArchiveValue], _ levels: Int)
    -> [ArchiveValue]
  {
    func elements(_ values: [ArchiveValue]) -> Entities<Element> {
      Entities(values.map { Element(id: $0["0"]?.string ?? "", value: $0) })
    }
    var all = KeyedElements(base: elements(base), mine: elements(mine), merged: elements(theirs))
    all.merge(levels)
    return all.merged.map(\.value)
  }

  private mutating func merge(_ levels: Int) {
    for element in base where !mine.contains(id: element.id) { merged.remove(id: element.id) }
    let old = base.map(\.id).filter { mine.contains(id: $0) }
    let kept = mine.map(\.id).filter { base.contains(id: $0) }
    var placed: Set<String> = []
    for case .insert(_, let id, _) in kept.difference(from: old) where merged.contains(id: id) {
      placed.insert(id)
    }
    for own in mine {
      let before = base[id: own.id]?.value
      guard let before, let other = merged[id: own.id] else {
        if before != own.value { placed.insert(own.id) }
        continue
      }
      merged[id: own.id] = merged(before, own, other, levels)
    }
    for offset in mine.indices where placed.contains(mine[offset].id) {
      let own = mine[offset]
      let other = merged.remove(id: own.id)
      let isNew = !base.contains(id: own.id)
      let element = other.map { isNew ? merged(nil, own, $0, levels) : $0 } ?? own
      merged.insert(element, at: place(of: offset))
    }
  }

  private func merged(_ base: ArchiveValue?, _ mine: Element, _ theirs: Element, _ levels: Int) -> Element {
    let value = ArchiveValue.merge(base: base, mine: mine.value, theirs: theirs.value, levels: levels - 1)
    return Element(id: mine.id, value: value ?? mine.value)
  }

  /// Returns the position for an element that was inserted or moved here. It is behind the nearest present predecessor,
  /// and behind the elements that the other side has inserted there.
  private func place(of offset: Int) -> Int {
    let before = mine[..<offset].last { merged.contains(id: $0.id) }
    var place = before.flatMap { merged.index(id: $0.id) }.map { $0 + 1 } ?? 0
    while place < merged.count, !mine.contains(id: merged[place].id), !base.contains(id: merged[place].id) {
      place += 1
    }
    return place
  }
}
