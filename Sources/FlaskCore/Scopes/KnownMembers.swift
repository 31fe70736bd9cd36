/// The members of a container that scopes lead to. By the performer.
final class KnownMembers<M: Membership> {
  let entries: [MemberEntry<M>]
  /// The same by the hashes of their identities, for containers that know by themselves whose element has changed.
  /// As objects, and not by the identities, since tables of a generic type are slow where that is not known.
  private lazy var byHash: [Int: [AnyObject]] = Dictionary(grouping: entries) { $0.membership.identityHash }

  /// Calls `body` with each of the entries whose identity has a hash: those of an identity, and perhaps others.
  ///
  /// Complexity: O(1) on average; the first time after a scope was made or went, O(n) in the entries.
  func forEach(ofHash hash: Int, _ body: (MemberEntry<M>) -> Void) {
    guard let found = byHash[hash] else { return }
    // Safe, since the objects are those of `entries`.
    for entry in found { body(unsafeDowncast(entry, to: MemberEntry<M>.self)) }
  }

  init(_ entries: [MemberEntry<M>]) { self.entries = entries }
}
