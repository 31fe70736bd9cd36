internal import FlaskDerived

/// The sections that a view shows at one moment: a collection that never changes, with random access.
public struct ViewSections<Key: Hashable & Sendable, Element: Identifiable & Sendable>:
  RandomAccessCollection,
  Sendable
where Element.ID: Sendable {
  let content: TypedViewContent<Element>
  let starts: [Int]
  let keyOf: @Sendable (Element) -> Key

  init(_ content: TypedViewContent<Element>, _ keyOf: @escaping @Sendable (Element) -> Key) {
    self.content = content
    self.keyOf = keyOf
    starts = content.starts?.offsets ?? []
  }

  /// The elements of all sections, one section after the other.
  public var rows: ViewRows<Element> { ViewRows(content) }

  /// 0.
  public var startIndex: Int { 0 }

  /// The number of sections.
  public var endIndex: Int { starts.count }

  /// The section at an index, which must be from 0 to before the number of sections. Complexity: O(log n).
  public subscript(index: Int) -> ViewSection<Key, Element> {
    precondition(index >= 0 && index < starts.count, "the index is out of range")
    let end = index + 1 < starts.count ? starts[index + 1] : content.fullCount
    let rows = ViewRows(content, starts[index]..<end)
    return ViewSection(id: keyOf(rows[0]), rows: rows)
  }

  /// The index of the section with a key; `nil` if there is none. Complexity: linear in the sections.
  public func index(of key: Key) -> Int? { indices.first { self[$0].id == key } }
}

extension ViewSections: CustomStringConvertible {
  /// The sections as an array describes them.
  public var description: String { Array(self).description }
}

extension ViewSections: NamedDerivedValue {
  package static var nameOfDerived: String { "sections of a live view of \(Element.self)" }
}
