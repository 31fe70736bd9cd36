extension Entities: IdentifiedCollection {
  package static func areEqual(
    _ a: UnsafePointer<Entities>,
    _ b: UnsafePointer<Entities>,
    elements areEqual: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) -> Bool {
    EntityTree.areEqual(
      EntityTree.address(inEntities: a),
      EntityTree.address(inEntities: b),
      ofEqualBytes: true,
      elements: areEqual
    )
  }

  package static func differingIdentities(
    _ old: UnsafePointer<Entities>,
    _ new: UnsafePointer<Entities>
  ) -> [Element.ID] {
    let differences = EntityDifferences(from: old.pointee, to: new.pointee)
    let present = (differences.added + differences.updated.map(\.new)).ordered { $0.offset }
    return (present + differences.gone).map { $0.element.assumingMemoryBound(to: Element.self).pointee.id }
  }

  package static func changes(
    from old: UnsafePointer<Entities>,
    to new: UnsafePointer<Entities>
  ) -> ElementChanges<Element> {
    let differences = EntityDifferences(from: old.pointee, to: new.pointee)
    func element(_ place: EntityScan.Place) -> Element {
      place.element.assumingMemoryBound(to: Element.self).pointee
    }
    return ElementChanges(
      insertions: differences.added.map { .init(element: element($0), offset: $0.offset) },
      removals: differences.gone.map { .init(element: element($0), offset: $0.offset) },
      moves: differences.moved.map {
        .init(element: new.pointee[$0.new], oldOffset: $0.old, newOffset: $0.new)
      },
      updates: differences.updated.map {
        .init(
          oldElement: element($0.old),
          element: element($0.new),
          oldOffset: $0.old.offset,
          newOffset: $0.new.offset
        )
      }
    )
  }

  package func withElement(_ id: Element.ID, _ body: (UnsafeRawPointer) -> Void) -> Bool {
    guard let found = find(id) else { return false }
    // The pointer to the element is valid as long as this collection, which is therefore retained until `body` has
    // returned.
    withExtendedLifetime(self) { body(UnsafeRawPointer(found.element)) }
    return true
  }
}
