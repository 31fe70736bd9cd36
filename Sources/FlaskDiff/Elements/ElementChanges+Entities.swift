extension ElementChanges {
  /// What differs between two entities.
  @usableFromInline
  init(entities old: Entities<Element>, _ new: Entities<Element>) {
    let differences = EntityDifferences(from: old, to: new)
    func element(_ place: EntityScan.Place) -> Element {
      place.element.assumingMemoryBound(to: Element.self).pointee
    }
    self.init(
      insertions: differences.added.map { Insertion(element: element($0), offset: $0.offset) },
      removals: differences.gone.map { Removal(element: element($0), offset: $0.offset) },
      moves: differences.moved.map { Move(element: new[$0.new], oldOffset: $0.old, newOffset: $0.new) },
      updates: differences.updated.map {
        Update(
          oldElement: element($0.old),
          element: element($0.new),
          oldOffset: $0.old.offset,
          newOffset: $0.new.offset
        )
      }
    )
  }
}
