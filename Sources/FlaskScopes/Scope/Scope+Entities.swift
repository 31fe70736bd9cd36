public import FlaskEntities

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
