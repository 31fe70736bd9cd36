/// A section of a view: its elements, and the key that they have in common, which is its identity.
public struct ViewSection<Key: Hashable & Sendable, Element: Identifiable & Sendable>: Identifiable, Sendable
where Element.ID: Sendable {
  /// The key of the elements.
  public let id: Key
  /// The elements, of which there is at least one.
  public let rows: ViewRows<Element>
}

extension ViewSection: CustomStringConvertible {
  /// The key and the elements.
  public var description: String { "\(id): \(rows)" }
}
