public import FlaskEntities

/// The element of entities with an identity, which they find by themselves.
package struct EntityMembership<Member: Identifiable & Sendable>: Membership where Member.ID: Sendable {
  package typealias Container = Entities<Member>

  let id: Member.ID

  package init(id: Member.ID) {
    self.id = id
  }

  package var identity: AnyHashable { AnyHashable(id) }
  package var identityHash: Int { id.hashValue }

  package func find(in container: Entities<Member>, near hint: PlaceHint) -> Found<Member>? {
    container[id: id].map { ($0, 0) }
  }

  package func modify(
    _ container: inout Entities<Member>,
    near hint: PlaceHint,
    _ body: (inout Member) throws -> Void
  ) rethrows -> Bool {
    try container.update(id: id) { try body(&$0) } != nil
  }

  package func member(in container: UnsafePointer<Entities<Member>>, near hint: PlaceHint) -> Member? {
    container.pointee[id: id]
  }

  /// Looks at those elements alone that differ.
  package static func forEachChange(
    of members: KnownMembers<Self>,
    from old: UnsafePointer<Entities<Member>>,
    to new: UnsafePointer<Entities<Member>>,
    _ body: (MemberEntry<Self>, _ old: Found<Member>?, _ new: Found<Member>?) -> Void,
    updated: (MemberEntry<Self>, _ old: UnsafePointer<Member>, _ new: UnsafePointer<Member>) -> Void
  ) {
    Entities.forEachDifference(from: old, to: new) { old, new in
      guard let present = new ?? old else { return }
      let id = present.pointee.id
      members.forEach(ofHash: id.hashValue) { entry in
        if entry.membership.id != id { return }
        if let old, let new {
          updated(entry, old, new)
        } else {
          Self.tell(entry, old, new, body)
        }
      }
    }
  }

  // Apart from what most commits do, which needs no optional of a type that is looked up at run time.
  @inline(never)
  private static func tell(
    _ entry: MemberEntry<Self>,
    _ old: UnsafePointer<Member>?,
    _ new: UnsafePointer<Member>?,
    _ body: (MemberEntry<Self>, _ old: Found<Member>?, _ new: Found<Member>?) -> Void
  ) {
    body(entry, old.map { ($0.pointee, 0) }, new.map { ($0.pointee, 0) })
  }
}

extension Scope {
  /// A scope of the element of entities with an identity, wherever it moves; `nil` if there is none now. As
  /// `scope(_:id:)` of other collections if it is gone.
  ///
  /// Complexity: O(log n). A commit looks at the elements that it changed, and at no others.
  public func scope<Element: Identifiable & Sendable>(
    _ keyPath: WritableKeyPath<Part, Entities<Element>>,
    id: Element.ID
  ) -> Scope<Element>? where Element.ID: Sendable {
    member(EntityMembership<Element>(id: id), in: scope(keyPath))
  }
}

extension Substance {
  /// A scope of the element of entities with an identity, wherever it moves; `nil` if there is none now. See
  /// `Scope.scope(_:id:)`.
  public final func scope<Element: Identifiable & Sendable>(
    _ keyPath: WritableKeyPath<S, Entities<Element>>,
    id: Element.ID
  ) -> Scope<Element>? where Element.ID: Sendable {
    mixableScope.scope(keyPath, id: id)
  }
}
