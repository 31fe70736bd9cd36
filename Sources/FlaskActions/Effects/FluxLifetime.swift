public import FlaskEntities
public import FlaskScopes

/// A piece of state on whose existence an effect depends: see `FluxMiddleware.registerEffect(for:while:)`. It does not
/// retain its substance.
public struct FluxLifetime: Sendable {
  let watched: WatchedValue<PartPresence>
}

extension Scope {
  /// That the part exists.
  public var lifetime: FluxLifetime { FluxLifetime(watched: watchedPresence) }
}

extension TypedSubstance {
  /// That the state exists: until the substance is deallocated.
  public final var lifetime: FluxLifetime { Scope(of: self).lifetime }

  /// That an optional property has content. Content with another identity is other content, if it is `Identifiable`.
  public final func lifetime<Part: Sendable>(of keyPath: WritableKeyPath<S, Part?>) -> FluxLifetime {
    FluxLifetime(watched: Scope(of: self).watchedPresence(of: keyPath))
  }

  /// That a collection has an element with an identity; `nil` if it has none now.
  public final func lifetime<Elements: MutableCollection & RandomAccessCollection & Sendable>(
    of keyPath: WritableKeyPath<S, Elements>,
    id: Elements.Element.ID
  ) -> FluxLifetime? where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
    Scope(of: self).scope(keyPath, id: id)?.lifetime
  }

  /// That `Entities` have an element with an identity; `nil` if they have none now.
  public final func lifetime<Element: Identifiable & Sendable>(
    of keyPath: WritableKeyPath<S, Entities<Element>>,
    id: Element.ID
  ) -> FluxLifetime? where Element.ID: Sendable {
    Scope(of: self).scope(keyPath, id: id)?.lifetime
  }

  /// That a dictionary has an entry; `nil` if it has none now.
  public final func lifetime<Key: Hashable & Sendable, Value: Sendable>(
    of keyPath: WritableKeyPath<S, [Key: Value]>,
    key: Key
  ) -> FluxLifetime? {
    Scope(of: self).scope(keyPath, key: key)?.lifetime
  }
}
