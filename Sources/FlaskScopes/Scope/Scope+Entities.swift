public import FlaskEntities

extension Mixable {
  /// Returns a scope of the element of `Entities` with an identity, at any position; `nil` if the element does not
  /// exist now. For an element that is removed later, see `scope(_:id:)` of other collections.
  ///
  /// Complexity: O(log n). A commit checks the elements that it changed, and no others.
  public func scope<Element: Identifiable & Sendable>(
    _ keyPath: WritableKeyPath<Part, Entities<Element>>,
    id: Element.ID
  ) -> Scope<Element>? where Element.ID: Sendable {
    scope(keyPath).member(EntityMembership<Element>(id: id))
  }

  /// Returns the same scope as `scope(_:id:)`, in a short form for reading: `board[\.cards, id: 9]?.title`. In this
  /// example, a tracked closure depends on `title` of this element, and on the presence of this element.
  public subscript<Element: Identifiable & Sendable>(
    keyPath: WritableKeyPath<Part, Entities<Element>>,
    id id: Element.ID
  ) -> Scope<Element>? where Element.ID: Sendable {
    scope(keyPath, id: id)
  }
}
