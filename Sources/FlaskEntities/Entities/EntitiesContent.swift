/// Entities as they were at one moment, whatever the type of their elements: what a journal of an archive compares.
///
/// It shares the nodes of the entities, so holding it costs what has changed since.
package class EntitiesContent: @unchecked Sendable {
  // `@unchecked` since the elements may be of any type: only those of `Sendable` states are encoded or decoded where
  // these are made, and nothing here is changed.

  /// The number of elements. Complexity: O(1).
  package var count: Int { 0 }

  /// How these came from others; `nil` if the others have elements of another type.
  ///
  /// An element is updated if it is not the same bit by bit. Complexity: as comparing the entities.
  package func edit(from old: EntitiesContent) -> EntitiesEdit? { nil }

  /// What encodes the elements at some offsets, or all, as an array; `nil` if they can only be decoded.
  package func elements(at offsets: [Int]?) -> (any Encodable)? { nil }
}

/// How entities came from others: what is removed and moved goes out at its old offset, from the last to the first;
/// what is inserted and moved comes in at its new offset, from the first to the last; then what is updated is replaced.
package struct EntitiesEdit: Sendable {
  /// Old offsets, ascending.
  package var removedOffsets: [Int] = []
  /// Old and new offsets, by new ones ascending.
  package var moves: [(old: Int, new: Int)] = []
  /// New offsets, ascending.
  package var insertedOffsets: [Int] = []
  /// New offsets, ascending.
  package var updatedOffsets: [Int] = []

  /// Whether nothing has changed.
  package var isEmpty: Bool {
    removedOffsets.isEmpty && moves.isEmpty && insertedOffsets.isEmpty && updatedOffsets.isEmpty
  }
}

/// The content of entities whose elements are of a known type.
class TypedContent<Element: Identifiable>: EntitiesContent, @unchecked Sendable {
  // `@unchecked` restates the superclass.
  let entities: Entities<Element>

  init(_ entities: Entities<Element>) { self.entities = entities }

  override var count: Int { entities.count }

  override func edit(from old: EntitiesContent) -> EntitiesEdit? {
    guard let old = old as? TypedContent<Element> else { return nil }
    let differences = EntityDifferences(from: old.entities, to: entities, isExact: true)
    return EntitiesEdit(
      removedOffsets: differences.gone.map(\.offset),
      moves: differences.moved,
      insertedOffsets: differences.added.map(\.offset),
      updatedOffsets: differences.updated.map(\.new.offset)
    )
  }
}

/// The content of entities whose elements can be encoded.
final class EncodableContent<Element: Identifiable & Encodable>: TypedContent<Element>, @unchecked Sendable {
  // `@unchecked` restates the superclass.
  override func elements(at offsets: [Int]?) -> (any Encodable)? {
    SomeElements(entities: entities, offsets: offsets)
  }
}

/// Some of the elements of entities, as an array.
private struct SomeElements<Element: Identifiable & Encodable>: Encodable {
  let entities: Entities<Element>
  let offsets: [Int]?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    if let offsets {
      for offset in offsets { try container.encode(entities[offset]) }
    } else {
      for element in entities { try container.encode(element) }
    }
  }
}
