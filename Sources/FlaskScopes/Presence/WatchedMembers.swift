package import FlaskEntities

/// The members of a container in the states of a substance, for work that each of them has. It does not retain the
/// substance.
///
/// `@unchecked Sendable`, as `WatchedValue`.
package struct WatchedMembers<ID: Hashable & Sendable>: @unchecked Sendable {
  package let cell: Cell
  /// Calls a handler on the performing thread with each commit that may have changed the members, until the
  /// observations end.
  package let observe: (_ handler: @escaping (Commit) -> Void) -> [SubstanceObservation]
  /// Whether a state has no members.
  package let isEmpty: (UnsafeRawPointer) -> Bool
  /// The identities of the members in a state, each once.
  package let all: (UnsafeRawPointer) -> Set<ID>
  /// The identities of the members that a commit has removed, and of those that it has inserted.
  package let changes: (Commit) -> (removed: [ID], inserted: [ID])
  /// The identity of the container in a state. If it differs between two states, the container was exchanged, and all
  /// of its members are new.
  package let presence: (UnsafeRawPointer) -> PartPresence?
}

extension Scope {
  /// The members of the part, which is a container.
  private func watched<ID: Hashable & Sendable>(
    isEmpty: @escaping (Part) -> Bool,
    _ all: @escaping (Part) -> Set<ID>,
    _ changes:
      @escaping (_ old: UnsafePointer<Part>, _ new: UnsafePointer<Part>) -> (
        removed: [ID], inserted: [ID]
      )
  ) -> WatchedMembers<ID> {
    WatchedMembers(
      cell: cell,
      observe: { [part, cell] handler in cell.watch(part.key, of: part, handler) },
      isEmpty: { [part] in part.isHidden || part.value(in: $0).map(isEmpty) ?? true },
      all: { [part] in part.isHidden ? [] : part.value(in: $0).map(all) ?? [] },
      changes: { [part] commit in
        if let old = part.address(in: commit.oldAddress), let new = part.address(in: commit.newAddress) {
          return changes(old, new)
        }
        switch (part.value(in: commit.oldAddress), part.value(in: commit.newAddress)) {
        case (let old?, let new?):
          return withUnsafePointer(to: old) { old in withUnsafePointer(to: new) { changes(old, $0) } }
        case (let old?, nil): return (Array(all(old)), [])
        case (nil, let new?): return ([], Array(all(new)))
        case (nil, nil): return ([], [])
        }
      },
      presence: { [part] in part.presence(in: $0) }
    )
  }

  /// The elements of `Entities`. A commit costs time for the differing elements alone.
  package func watchedElements<Element>() -> WatchedMembers<Element.ID>
  where Part == Entities<Element>, Element: Identifiable & Sendable, Element.ID: Sendable {
    watched(isEmpty: \.isEmpty, { Set($0.lazy.map(\.id)) }) { old, new in
      var removed: [Element.ID] = []
      var inserted: [Element.ID] = []
      Entities.forEachDifference(from: old, to: new) { old, new in
        if new == nil, let old { removed.append(old.pointee.id) }
        if old == nil, let new { inserted.append(new.pointee.id) }
      }
      return (removed, inserted)
    }
  }

  /// The elements of a collection. A commit that changes the collection costs a pass over its identities.
  package func watchedElements() -> WatchedMembers<Part.Element.ID>
  where
    Part: MutableCollection & RandomAccessCollection,
    Part.Element: Identifiable & Sendable, Part.Element.ID: Sendable
  {
    watched(isEmpty: \.isEmpty, { Set($0.lazy.map(\.id)) }) { old, new in
      difference(Set(old.pointee.lazy.map(\.id)), Set(new.pointee.lazy.map(\.id)))
    }
  }

  /// The entries of a dictionary. A commit that changes the dictionary costs a pass over its keys.
  package func watchedEntries<Key: Hashable & Sendable, Value>() -> WatchedMembers<Key>
  where Part == [Key: Value] {
    watched(isEmpty: \.isEmpty, { Set($0.keys) }) { old, new in
      difference(Set(old.pointee.keys), Set(new.pointee.keys))
    }
  }
}

private func difference<ID>(_ old: Set<ID>, _ new: Set<ID>) -> (removed: [ID], inserted: [ID]) {
  (Array(old.subtracting(new)), Array(new.subtracting(old)))
}
