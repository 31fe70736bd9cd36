extension Entities {
  /// Calls `body` with each element that differs between two entities, and where it lies in either: `nil` where it is
  /// not. In no order; elements that have only moved are left out. By the rules of ``StateDiff``.
  ///
  /// Both are borrowed from where they lie, and what `body` is handed is valid as long as they are.
  ///
  /// Complexity: O(changes · log n).
  package static func forEachDifference(
    from old: UnsafePointer<Entities>,
    to new: UnsafePointer<Entities>,
    _ body: (_ old: UnsafePointer<Element>?, _ new: UnsafePointer<Element>?) -> Void
  ) {
    func typed(_ element: UnsafeRawPointer) -> UnsafePointer<Element> {
      element.assumingMemoryBound(to: Element.self)
    }
    // The caller holds both for as long as this call takes, and with them what is pointed to.
    let updates = EntityTree.updatesInPlace(
      from: EntityTree.address(inEntities: old),
      to: EntityTree.address(inEntities: new),
      of: .of(Element.self, source: .preferred)
    ) {
      typed($0).pointee.id == typed($1).pointee.id
    }
    if let updates {
      for update in updates { body(typed(update.old), typed(update.new)) }
      return
    }
    let differences = EntityDifferences(from: old.pointee, to: new.pointee)
    for place in differences.gone { body(typed(place.element), nil) }
    for place in differences.added { body(nil, typed(place.element)) }
    for pair in differences.updated { body(typed(pair.old.element), typed(pair.new.element)) }
  }
}

extension EntityTree {
  /// Where the tree of entities is that lie at an address: at their beginning, as it is their first property. For who
  /// compares trees without counting up and down what they refer to.
  static func address(inEntities entities: UnsafeRawPointer) -> UnsafePointer<EntityTree> {
    entities.assumingMemoryBound(to: EntityTree.self)
  }

  /// The elements that have other values; `nil` if anything came, went or moved.
  ///
  /// The fast path of what most commits do: some elements are changed in place.
  fileprivate static func updatesInPlace(
    from old: UnsafePointer<EntityTree>,
    to new: UnsafePointer<EntityTree>,
    of element: TypeRecord,
    haveSameIdentity: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) -> [(old: UnsafeRawPointer, new: UnsafeRawPointer)]? {
    if old.pointee.count != new.pointee.count { return nil }
    var updates: [(old: UnsafeRawPointer, new: UnsafeRawPointer)] = []
    let isInPlace = PersistentVector.allDifferences(old.pointee.leaves, new.pointee.leaves) { _, old, new in
      guard let pair = LeafPair(old, new) else { return false }
      return pair.allDifferingSatisfy { old, new in
        if element.areBitsEqual(old, new) { return true }
        guard haveSameIdentity(old, new) else { return false }
        if !element.areEqual(old, new, depth: 0) { updates.append((old, new)) }
        return true
      }
    }
    return isInPlace ? updates : nil
  }
}
