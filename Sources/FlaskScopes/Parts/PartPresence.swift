/// The presence of a part of a state: work that lives as long as the part ends when this value changes, or is `nil`.
///
/// It has the `id` of each `Identifiable` content of an optional, and of each such payload, on the way to the part.
/// Example: `session.detail` is exchanged for a detail with another `id`. The part still exists, but is another one.
/// Elements and entries are found by their identity, so theirs need no comparison.
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
