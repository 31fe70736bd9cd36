/// A type-erased snapshot of entities. The journal of an archive compares two snapshots.
///
/// The snapshot shares the nodes of the entities. So it takes only the memory of the nodes that have changed since.
package class EntitiesContent: @unchecked Sendable {
  // `@unchecked Sendable`, since the elements may be of any type:
  // - Invariant: constant; it is made where elements of `Sendable` states are encoded or decoded.
  // - If violated: a data race in elements.

  /// The number of elements. Complexity: O(1).
  package var count: Int { 0 }

  /// The identities as texts, in order.
  package var identities: [String] { [] }

  /// The edit that turns `old` into this content; `nil` if `old` has elements of another type.
  ///
  /// An element is updated if any of its bits differ. Complexity: as for comparing the entities.
  package func edit(from old: EntitiesContent) -> EntitiesEdit? { nil }

  /// The elements at the given offsets, or all elements, as an array; `nil` if the elements are not `Encodable`.
  package func elements(at offsets: [Int]?) -> (any Encodable)? { nil }

  /// Passes the entities to a visitor, which learns their type.
  package func accept<Visitor: EntitiesVisitor>(_ visitor: Visitor) -> Visitor.Result? { nil }

  /// The content that stands for entities.
  package static func of<Element: Identifiable>(_ entities: Entities<Element>) -> EntitiesContent {
    TypedEntitiesContent(entities)
  }

  /// The entities, if their elements have a given type.
  package func entities<Element: Identifiable>(of type: Element.Type) -> Entities<Element>? {
    (self as? TypedEntitiesContent<Element>)?.entities
  }
}

/// Uses entities whose type is not known otherwise.
package protocol EntitiesVisitor {
  associatedtype Result

  func visit<Element: Identifiable>(_ entities: Entities<Element>) -> Result
}

/// The edit from one version of entities to another. First the removed and the moved elements are removed at their old
/// offsets, from the last to the first. Then the inserted and the moved elements are inserted at their new offsets,
/// from the first to the last. Then the updated elements are replaced.
package struct EntitiesEdit: Sendable {
  /// Old offsets, ascending.
  package var removedOffsets: [Int] = []
  /// The old and the new offset of each moved element, sorted by ascending new offsets.
  package var moves: [(old: Int, new: Int)] = []
  /// New offsets, ascending.
  package var insertedOffsets: [Int] = []
  /// New offsets, ascending.
  package var updatedOffsets: [Int] = []

  /// Nothing has changed.
  package init() {}

  /// Whether nothing has changed.
  package var isEmpty: Bool {
    removedOffsets.isEmpty && moves.isEmpty && insertedOffsets.isEmpty && updatedOffsets.isEmpty
  }
}

/// The content of entities whose elements are of a known type.
final class TypedEntitiesContent<Element: Identifiable>: EntitiesContent, @unchecked Sendable {
  // `@unchecked Sendable`, as the superclass.
  let entities: Entities<Element>

  init(_ entities: Entities<Element>) { self.entities = entities }

  override var count: Int { entities.count }

  override func accept<Visitor: EntitiesVisitor>(_ visitor: Visitor) -> Visitor.Result? {
    visitor.visit(entities)
  }

  override var identities: [String] { entities.map { String(describing: $0.id) } }

  override func edit(from old: EntitiesContent) -> EntitiesEdit? {
    guard let old = old as? TypedEntitiesContent<Element> else { return nil }
    let differences = EntityDifferences(from: old.entities, to: entities, isExact: true)
    var edit = EntitiesEdit()
    edit.removedOffsets = differences.gone.map(\.offset)
    edit.moves = differences.moved
    edit.insertedOffsets = differences.added.map(\.offset)
    edit.updatedOffsets = differences.updated.map(\.new.offset)
    return edit
  }

  override func elements(at offsets: [Int]?) -> (any Encodable)? {
    (offsets.map { $0.map { entities[$0] } } ?? Array(entities)) as? any Encodable
  }
}

extension Entities {
  /// The entities after an edit.
  ///
  /// - Parameter elements: the inserted elements, followed by the updated elements.
  /// - Returns: `nil` if the edit does not match these entities or the number of `elements`.
  package func changed(by edit: EntitiesEdit, _ elements: [Element]) -> Entities? {
    let inserted = edit.insertedOffsets
    guard elements.count == inserted.count + edit.updatedOffsets.count,
      edit.moves.allSatisfy({ indices.contains($0.old) })
    else { return nil }
    var result = self
    for offset in (edit.removedOffsets + edit.moves.map(\.old)).sorted(by: >) {
      guard result.indices.contains(offset) else { return nil }
      result.remove(at: offset)
    }
    let arriving = zip(inserted, elements).map { ($0, $1) } + edit.moves.map { ($0.new, self[$0.old]) }
    for (offset, element) in arriving.sorted(by: { $0.0 < $1.0 }) {
      guard offset >= 0, offset <= result.count, result.insert(element, at: offset) else { return nil }
    }
    for (offset, element) in zip(edit.updatedOffsets, elements.dropFirst(inserted.count)) {
      guard result.indices.contains(offset) else { return nil }
      result[offset] = element
    }
    return result
  }
}
