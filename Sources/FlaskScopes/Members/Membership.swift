/// A member that was found in its container, and its index there (0 if members have no index).
typealias Found<Member> = (member: Member, place: Int)

/// Identifies a member of a container, for its scopes: the content of an optional, an entry of a dictionary, or an
/// element of a collection.
protocol Membership<Container, Member>: Sendable {
  associatedtype Container: Sendable
  associatedtype Member: Sendable
  /// Identifies the member among the members of its container.
  var identity: AnyHashable { get }
  /// The step from the container to the member.
  var step: PartStep { get }
  /// The hash of the identity.
  var identityHash: Int { get }
  /// Whether a commit can exchange the member for another one of the same container. Example: the content of an
  /// optional is exchanged for content with another `id`.
  static var isExchangeable: Bool { get }

  /// Returns the member and its index; `nil` if the container does not have the member. The search begins at the last
  /// known index, which `node` has.
  func find(in container: Container, near node: MemberNode) -> Found<Member>?

  /// Passes the member to `body`, in place.
  ///
  /// - Returns: `false`, without calling `body`, if the container does not have the member.
  func modify(
    _ container: inout Container,
    near node: MemberNode,
    _ body: (inout Member) throws -> Void
  ) rethrows -> Bool

  /// Returns the member of a container that is borrowed in place; `nil` if the container does not have the member.
  func member(in container: UnsafePointer<Container>, near node: MemberNode) -> Member?

  /// Calls `body` for each entry of a container observer whose member differs between two versions of the container.
  /// The change has the member in both versions, `nil` where the member is missing. The versions are borrowed in place.
  static func forEachChange(
    in hub: ContainerObserver<Self>,
    from old: UnsafePointer<Container>,
    to new: UnsafePointer<Container>,
    _ body: (MemberChange<Self>) -> Void
  )
}

/// The change of a member by a commit: updated, inserted or removed.
struct MemberChange<M: Membership> {
  let entry: MemberEntry<M>
  let old: UnsafePointer<M.Member>?
  let new: UnsafePointer<M.Member>?
  /// True if `old` and `new` stay valid during the commit's notifications, so that listeners may read the member
  /// through them.
  var isInPlace = false
}

extension Membership {
  var identityHash: Int { identity.hashValue }
  var step: PartStep { .member(identity) }
  static var isExchangeable: Bool { false }

  func member(in container: UnsafePointer<Container>, near node: MemberNode) -> Member? {
    find(in: container.pointee, near: node)?.member
  }

  /// Checks each entry.
  static func forEachChange(
    in hub: ContainerObserver<Self>,
    from old: UnsafePointer<Container>,
    to new: UnsafePointer<Container>,
    _ body: (MemberChange<Self>) -> Void
  ) {
    for entry in hub.allEntries {
      change(
        of: entry,
        from: entry.membership.find(in: old.pointee, near: entry)?.member,
        to: entry.membership.find(in: new.pointee, near: entry)?.member,
        body
      )
    }
  }

  /// Calls `body` if two members differ.
  static func change(
    of entry: MemberEntry<Self>,
    from old: Member?,
    to new: Member?,
    _ body: (MemberChange<Self>) -> Void
  ) {
    switch (old, new) {
    case (let old?, let new?):
      if TypeRecord.areEqual(old, new) { return }
      withUnsafePointer(to: old) { old in
        withUnsafePointer(to: new) { body(MemberChange(entry: entry, old: old, new: $0)) }
      }
    case (let old?, nil): withUnsafePointer(to: old) { body(MemberChange(entry: entry, old: $0, new: nil)) }
    case (nil, let new?): withUnsafePointer(to: new) { body(MemberChange(entry: entry, old: nil, new: $0)) }
    case (nil, nil): break
    }
  }
}

extension PartPresence {
  /// Adds the identity of a member, if another member may take its place.
  func adding<M: Membership>(_ member: M.Member, of type: M.Type) -> PartPresence {
    guard M.isExchangeable, let member = member as? any Identifiable else { return self }
    return appending(identity(of: member))
  }

  private func identity(of member: some Identifiable) -> AnyHashable { AnyHashable(member.id) }
}
