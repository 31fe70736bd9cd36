public import FlaskEntities

extension Mixable {
  /// A scope of the element of entities with an identity, wherever it moves; `nil` if there is none now. As
  /// `scope(_:id:)` of other collections if it is removed.
  ///
  /// Complexity: O(log n). A commit checks the elements that it changed, and no others.
  public func scope<Element: Identifiable & Sendable>(
    _ keyPath: WritableKeyPath<Part, Entities<Element>>,
    id: Element.ID
  ) -> Scope<Element>? where Element.ID: Sendable {
    scope(keyPath).member(EntityMembership<Element>(id: id))
  }

  /// `scope(_:id:)`, for reading: `board[\.cards, id: 9]?.title`. In a tracked closure it depends on that property of
  /// that element.
  public subscript<Element: Identifiable & Sendable>(
    keyPath: WritableKeyPath<Part, Entities<Element>>,
    id id: Element.ID
  ) -> Scope<Element>? where Element.ID: Sendable {
    scope(keyPath, id: id)
  }
}
