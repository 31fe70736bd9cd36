internal import FlaskEntities

/// Makes tables, and merges elements, of entities whose type is not known otherwise.
struct RowTables {
  private struct Maker: EntitiesVisitor {
    let part: String
    let steps: [EntitiesCollector.Step]

    func visit<Element: Identifiable>(_ entities: Entities<Element>) -> RowTable? {
      guard let type = Element.self as? any (Identifiable & Codable).Type else { return nil }
      return make(type)
    }

    private func make<Element: Identifiable & Codable>(_ type: Element.Type) -> RowTable {
      TypedRowTable<Element>(part: part, steps: steps)
    }
  }

  /// A table without rows, for elements such as those of `content`; `nil` if they are not `Codable`.
  static func make(_ part: String, _ steps: [EntitiesCollector.Step], like content: EntitiesContent)
    -> RowTable?
  {
    content.accept(Maker(part: part, steps: steps)) ?? nil
  }

  private struct Merger: EntitiesVisitor {
    let base: EntitiesContent
    let mine: EntitiesContent
    let coding: RowCoding

    func visit<Element: Identifiable>(_ theirs: Entities<Element>) -> Merged? {
      guard let type = Element.self as? any (Identifiable & Codable).Type else { return nil }
      return merge(type, .of(theirs))
    }

    private func merge<Element: Identifiable & Codable>(_ type: Element.Type, _ theirs: EntitiesContent)
      -> Merged?
    {
      guard let base = base.entities(of: type), let mine = mine.entities(of: type),
        let theirs = theirs.entities(of: type)
      else { return nil }
      let merge = RowMerge(base: base, mine: mine, theirs: theirs, coding: coding, keepsFailed: true)
      return (.of(merge.merged), merge.dropped.map { (try? RowIdentity.text(of: $0)) ?? "" })
    }
  }

  /// Elements, and the identities of the edits that are not among them, since the other side has removed the elements.
  typealias Merged = (content: EntitiesContent, dropped: [String])

  /// The elements of `theirs` with the changes from `base` to `mine`.
  static func merged(
    base: EntitiesContent,
    mine: EntitiesContent,
    theirs: EntitiesContent,
    _ coding: RowCoding
  )
    -> Merged
  {
    let merger = Merger(base: base, mine: mine, coding: coding)
    return (theirs.accept(merger) ?? nil) ?? (theirs, [])
  }

  private struct Reverter: EntitiesVisitor {
    let ids: Set<String>
    let old: EntitiesContent

    func visit<Element: Identifiable>(_ entities: Entities<Element>) -> EntitiesContent {
      guard let old = old.entities(of: Element.self) else { return .of(entities) }
      var result = entities
      for id in ids.compactMap({ RowIdentity.identity(Element.ID.self, from: $0) }) {
        guard let element = old[id: id] else {
          result.remove(id: id)
          continue
        }
        result[id: id] = element
      }
      return .of(result)
    }
  }

  /// The elements with those of some identities as they were before.
  static func reverted(_ ids: [String], of content: EntitiesContent, to old: EntitiesContent)
    -> EntitiesContent
  {
    content.accept(Reverter(ids: Set(ids), old: old)) ?? content
  }

  private struct Emptier: EntitiesVisitor {
    func visit<Element: Identifiable>(_ entities: Entities<Element>) -> EntitiesContent {
      .of(Entities<Element>())
    }
  }

  /// No elements, of the type of `content`.
  static func empty(like content: EntitiesContent) -> EntitiesContent { content.accept(Emptier()) ?? content }
}
