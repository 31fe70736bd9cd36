extension Entities {
  /// Calls `body` with the addresses of each element that differs between two entities, in the old and in the new one:
  /// `nil` where the element is missing. The elements come in no particular order. Elements that have only moved are
  /// excluded. Elements differ by the rules of ``StateDiff``.
  ///
  /// Both values are borrowed in place. The arguments of `body` are valid while the two values are.
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
    // The caller retains both values during this call, so the pointers stay valid.
    var updates = ElementUpdates()
    let areInPlace = EntityTree.areUpdatesInPlace(
      from: EntityTree.address(inEntities: old),
      to: EntityTree.address(inEntities: new),
      haveSameIndex: old.pointee.index.isSame(as: new.pointee.index),
      into: &updates
    ) {
      typed($0).pointee.id == typed($1).pointee.id
    }
    if areInPlace {
      guard let first = updates.first else { return }
      body(typed(first.old), typed(first.new))
      for update in updates.others { body(typed(update.old), typed(update.new)) }
      return
    }
    let differences = EntityDifferences(from: old.pointee, to: new.pointee)
    for place in differences.gone { body(typed(place.element), nil) }
    for place in differences.added { body(nil, typed(place.element)) }
    for pair in differences.updated { body(typed(pair.old.element), typed(pair.new.element)) }
  }
}

extension EntityTree {
  /// Returns the address of the tree of an `Entities` value. The tree is its first property, so both addresses are
  /// equal. Through the address, trees are compared without counting their references.
  static func address(inEntities entities: UnsafeRawPointer) -> UnsafePointer<EntityTree> {
    entities.assumingMemoryBound(to: EntityTree.self)
  }

  /// Finds the elements whose values differ. The result is false if an element was inserted, removed or moved.
  ///
  /// The fast path for most commits: some elements were changed in place.
  ///
  /// - Parameter haveSameIndex: `true` if no element was inserted or removed, or got another number or identity.
  fileprivate static func areUpdatesInPlace(
    from old: UnsafePointer<EntityTree>,
    to new: UnsafePointer<EntityTree>,
    haveSameIndex: Bool,
    into updates: inout ElementUpdates,
    haveSameIdentity: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) -> Bool {
    if old.pointee.count != new.pointee.count { return false }
    return PersistentVector.allDifferences(old.pointee.leaves, new.pointee.leaves) { _, old, new in
      guard let pair = LeafPair(old, new) else { return false }
      // If both collections have the same index by identity, elements with equal numbers have equal identities, which
      // need not be compared.
      let areSame = haveSameIndex && pair.areBothInOrder
      return pair.allDifferingSatisfy { old, new in
        pair.record._withUnsafeGuaranteedRef { element in
          if element.areBitsEqual(old, new) { return true }
          if !areSame, !haveSameIdentity(old, new) { return false }
          if !element.areEqual(old, new, depth: 0) { updates.append((old, new)) }
          return true
        }
      }
    }
  }
}

/// The elements whose values differ. Most commits change one element, for which no list is allocated.
private struct ElementUpdates {
  private(set) var first: (old: UnsafeRawPointer, new: UnsafeRawPointer)?
  private(set) var others: [(old: UnsafeRawPointer, new: UnsafeRawPointer)] = []

  mutating func append(_ update: (old: UnsafeRawPointer, new: UnsafeRawPointer)) {
    if first == nil { first = update } else { others.append(update) }
  }
}
