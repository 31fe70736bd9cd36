public import FlaskEntities
public import FlaskScopes

/// A piece of state on whose existence an effect depends: see `FluxMiddleware.registerEffect(for:while:)`. It does not
/// retain its substance.
public struct FluxLifetime: Sendable {
  let watched: WatchedValue<PartPresence>
}

extension Scope {
  /// The lifetime of the part: it ends with the commit that removes the part, or when the substance is deallocated.
  public var lifetime: FluxLifetime { FluxLifetime(watched: watchedPresence) }
}

extension TypedSubstance {
  /// The lifetime of the substance: it ends when the substance is deallocated.
  public final var lifetime: FluxLifetime { Scope(of: self).lifetime }

  /// The lifetime of the content of an optional property: it ends with the commit that sets the property to `nil`. If
  /// the content is `Identifiable`, it also ends with the commit that sets content with another `id`.
  public final func lifetime<Part: Sendable>(of keyPath: WritableKeyPath<S, Part?>) -> FluxLifetime {
    FluxLifetime(watched: Scope(of: self).watchedPresence(of: keyPath))
  }

  /// The lifetime of the element with an identity: it ends with the commit that removes the element. The result is
  /// `nil` if the collection has no such element now.
  public final func lifetime<Elements: MutableCollection & RandomAccessCollection & Sendable>(
    of keyPath: WritableKeyPath<S, Elements>,
    id: Elements.Element.ID
  ) -> FluxLifetime? where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
    Scope(of: self).scope(keyPath, id: id)?.lifetime
  }

  /// The lifetime of the element of `Entities` with an identity: it ends with the commit that removes the element. The
  /// result is `nil` if there is no such element now.
  public final func lifetime<Element: Identifiable & Sendable>(
    of keyPath: WritableKeyPath<S, Entities<Element>>,
    id: Element.ID
  ) -> FluxLifetime? where Element.ID: Sendable {
    Scope(of: self).scope(keyPath, id: id)?.lifetime
  }

  /// The lifetime of the entry of a dictionary: it ends with the commit that removes the entry. The result is `nil` if
  /// the dictionary has no entry for the key now.
  public final func lifetime<Key: Hashable & Sendable, Value: Sendable>(
    of keyPath: WritableKeyPath<S, [Key: Value]>,
    key: Key
  ) -> FluxLifetime? {
    Scope(of: self).scope(keyPath, key: key)?.lifetime
  }
}
