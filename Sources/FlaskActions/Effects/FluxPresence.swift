public import FlaskEntities
public import FlaskScopes

/// A piece of state on whose existence an effect depends: see `FluxMiddleware.registerEffect(for:while:)`. It does not
/// retain its substance.
public struct FluxPresence: Sendable {
  let watched: WatchedValue<PartPresence>
}

extension Scope {
  /// That the part exists.
  public var presence: FluxPresence { FluxPresence(watched: watchedPresence) }
}

extension TypedSubstance {
  /// That the state exists: until the substance is deallocated.
  public final var presence: FluxPresence { Scope(of: self).presence }

  /// That an optional property has content. Content with another identity is other content, if it is `Identifiable`.
  public final func presence<Part: Sendable>(of keyPath: WritableKeyPath<S, Part?>) -> FluxPresence {
    FluxPresence(watched: Scope(of: self).watchedPresence(of: keyPath))
  }

  /// That a collection has an element with an identity; `nil` if it has none now.
  public final func presence<Elements: MutableCollection & RandomAccessCollection & Sendable>(
    of keyPath: WritableKeyPath<S, Elements>,
    id: Elements.Element.ID
  ) -> FluxPresence? where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
    Scope(of: self).scope(keyPath, id: id)?.presence
  }

  /// That `Entities` have an element with an identity; `nil` if they have none now.
  public final func presence<Element: Identifiable & Sendable>(
    of keyPath: WritableKeyPath<S, Entities<Element>>,
    id: Element.ID
  ) -> FluxPresence? where Element.ID: Sendable {
    Scope(of: self).scope(keyPath, id: id)?.presence
  }

  /// That a dictionary has an entry; `nil` if it has none now.
  public final func presence<Key: Hashable & Sendable, Value: Sendable>(
    of keyPath: WritableKeyPath<S, [Key: Value]>,
    key: Key
  ) -> FluxPresence? {
    Scope(of: self).scope(keyPath, key: key)?.presence
  }
}
