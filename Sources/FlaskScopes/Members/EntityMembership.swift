internal import FlaskEntities

/// Identifies an element of `Entities`. The element is found by the lookup of `Entities`.
struct EntityMembership<Member: Identifiable & Sendable>: Membership where Member.ID: Sendable {
  typealias Container = Entities<Member>

  let id: Member.ID

  var identity: AnyHashable { AnyHashable(id) }
  var identityHash: Int { id.hashValue }

  func find(in container: Entities<Member>, near node: MemberNode) -> Found<Member>? {
    container[id: id].map { ($0, 0) }
  }

  func modify(
    _ container: inout Entities<Member>,
    near node: MemberNode,
    _ body: (inout Member) throws -> Void
  ) rethrows -> Bool {
    try container.update(id: id) { try body(&$0) } != nil
  }

  func member(in container: UnsafePointer<Entities<Member>>, near node: MemberNode) -> Member? {
    container.pointee[id: id]
  }

  /// Checks the differing elements only.
  static func forEachChange(
    in hub: ContainerObserver<Self>,
    from old: UnsafePointer<Entities<Member>>,
    to new: UnsafePointer<Entities<Member>>,
    _ body: (MemberChange<Self>) -> Void
  ) {
    Entities.forEachDifference(from: old, to: new) { old, new in
      guard let present = new ?? old else { return }
      hub.forEachEntry(ofHash: present.pointee.id.hashValue) { entry in
        if entry.membership.id != present.pointee.id { return }
        body(MemberChange(entry: entry, old: old, new: new, isInPlace: true))
      }
    }
  }
}
