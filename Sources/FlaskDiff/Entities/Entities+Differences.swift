extension Entities {
  /// Calls `body` with each element that differs between two entities, and where it lies in either: `nil` where it is
  /// not. In no order; elements that have only moved are left out. By the rules of ``StateDiff``.
  ///
  /// The memory is valid during the call. Complexity: O(changes · log n).
  package static func forEachDifference(
    from old: Entities,
    to new: Entities,
    _ body: (_ old: UnsafePointer<Element>?, _ new: UnsafePointer<Element>?) -> Void
  ) {
    func typed(_ element: UnsafeRawPointer) -> UnsafePointer<Element> {
      element.assumingMemoryBound(to: Element.self)
    }
    // The caller holds both for as long as this call takes, and with them what is pointed to.
    let updates = EntityTree.updatesInPlace(
      from: old.tree,
      to: new.tree,
      of: .of(Element.self, source: .preferred)
    ) {
      typed($0).pointee.id == typed($1).pointee.id
    }
    if let updates {
      for update in updates { body(typed(update.old), typed(update.new)) }
      return
    }
    let differences = EntityDifferences(from: old, to: new)
    for place in differences.gone { body(typed(place.element), nil) }
    for place in differences.added { body(nil, typed(place.element)) }
    for pair in differences.updated { body(typed(pair.old.element), typed(pair.new.element)) }
  }
}

extension EntityTree {
  /// The elements that have other values; `nil` if anything came, went or moved.
  ///
  /// The fast path of what most commits do: some elements are changed in place.
  fileprivate static func updatesInPlace(
    from old: EntityTree,
    to new: EntityTree,
    of element: TypeRecord,
    haveSameIdentity: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) -> [(old: UnsafeRawPointer, new: UnsafeRawPointer)]? {
    guard old.count == new.count, let layout = old.layout ?? new.layout else {
      return old.count == new.count ? [] : nil
    }
    var updates: [(old: UnsafeRawPointer, new: UnsafeRawPointer)] = []
    let isInPlace = PersistentVector.allDifferences(old.leaves, new.leaves) { _, old, new in
      guard let pair = LeafPair(old, new, layout) else { return false }
      return pair.allSatisfy { old, new in
        if element.areBitsEqual(old, new) { return true }
        guard haveSameIdentity(old, new) else { return false }
        if !element.areEqual(old, new, depth: 0) { updates.append((old, new)) }
        return true
      }
    }
    return isInPlace ? updates : nil
  }
}
