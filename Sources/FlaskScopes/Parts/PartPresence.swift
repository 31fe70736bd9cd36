/// That a part of a state exists, and which one it is, for work that lives as long as the part.
///
/// The identities are those of optional contents and of payloads that are `Identifiable`, from the outermost to the
/// part itself: content with another identity is another part. Elements and entries have one identity for as long as
/// they exist, which needs no comparison.
package struct PartPresence: Equatable, Sendable {
  /// `@unchecked Sendable`, as the identities of members, which have crossed threads before.
  private struct Identity: Equatable, @unchecked Sendable { let value: AnyHashable }

  private var identities: [Identity] = []

  package init() {}

  func appending(_ identity: AnyHashable) -> PartPresence {
    var copy = self
    copy.identities.append(Identity(value: identity))
    return copy
  }
}
