/// The members of a container that scopes lead to. By the performer.
final class KnownMembers<M: Membership> {
  let entries: [MemberEntry<M>]
  /// The same by their identities, for containers that know by themselves whose element has changed.
  /// As objects, since lists of a generic type are slow where that is not known.
  private lazy var byIdentity: [AnyHashable: [AnyObject]] = Dictionary(grouping: entries) {
    $0.membership.identity
  }

  /// Calls `body` with each of the entries of an identity.
  ///
  /// Complexity: O(1) on average; the first time after a scope was made or went, O(n) in the entries.
  func forEach(of identity: AnyHashable, _ body: (MemberEntry<M>) -> Void) {
    guard let found = byIdentity[identity] else { return }
    // Safe, since the objects are those of `entries`.
    for entry in found { body(unsafeDowncast(entry, to: MemberEntry<M>.self)) }
  }

  init(_ entries: [MemberEntry<M>]) { self.entries = entries }
}
