extension ElementChanges {
  /// What differs between two entities.
  @usableFromInline
  init(entities old: Entities<Element>, _ new: Entities<Element>) {
    let scan = EntityScan(from: old, to: new)
    var moves: [Move] = []
    if !scan.rematched.isEmpty {
      var runs = scan.runs()
      moves = runs.moved().map { Move(element: new[$0.new], oldOffset: $0.old, newOffset: $0.new) }
    }
    self.init(
      insertions: scan.inserted.map { Insertion(element: $0.element.pointee, offset: $0.offset) },
      removals: scan.removed.map { Removal(element: $0.element.pointee, offset: $0.offset) },
      moves: moves,
      updates: scan.updated.map {
        Update(
          oldElement: $0.old.element.pointee,
          element: $0.new.element.pointee,
          oldOffset: $0.old.offset,
          newOffset: $0.new.offset
        )
      }
    )
  }
}
