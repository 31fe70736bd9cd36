internal import FlaskEntities

/// One version of the elements that a view shows, found by identity or by number. The type of the elements is known to
/// the subclass.
///
/// `@unchecked Sendable`, since the class is not final:
/// - Invariant: constant; the elements are `Sendable`.
/// - If violated: a data race.
class ViewBase: @unchecked Sendable {
  final let slots: EntitySlots

  init(_ slots: EntitySlots) { self.slots = slots }

  /// The numbers whose elements differ from those of another version.
  func changes(from old: ViewBase) -> SlotChanges { SlotChanges() }
}

/// A version of elements whose identities have a known type.
///
/// `@unchecked Sendable`, as the superclass.
class IdentifiedBase<ID: Hashable & Sendable>: ViewBase, @unchecked Sendable {
  private let readID: @Sendable (UnsafeRawPointer) -> ID

  /// - Parameter readID: reads the identity of an element.
  init(_ slots: EntitySlots, readID: @escaping @Sendable (UnsafeRawPointer) -> ID) {
    self.readID = readID
    super.init(slots)
  }

  func number(of id: ID) -> Int? { nil }

  final func id(at element: UnsafeRawPointer) -> ID { readID(element) }
}

/// A version of `Entities`.
///
/// `@unchecked Sendable`, as the superclass.
final class EntitiesBase<Element: Identifiable & Sendable>: IdentifiedBase<Element.ID>, @unchecked Sendable
where Element.ID: Sendable {
  let entities: Entities<Element>

  init(_ entities: Entities<Element>) {
    self.entities = entities
    super.init(entities.slots) { Self.id($0) }
  }

  private static func id(_ element: UnsafeRawPointer) -> Element.ID {
    element.assumingMemoryBound(to: Element.self).pointee.id
  }

  override func number(of id: Element.ID) -> Int? { entities.slotNumber(of: id) }

  override func changes(from old: ViewBase) -> SlotChanges {
    slots.changes(from: old.slots) { Self.id($0) == Self.id($1) }
  }
}
