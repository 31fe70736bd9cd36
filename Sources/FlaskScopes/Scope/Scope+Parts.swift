extension Scope {
  /// A scope of what a key path leads to in this part. O(1).
  public func scope<Inner: Sendable>(_ keyPath: WritableKeyPath<Part, Inner>) -> Scope<Inner> {
    Scope<Inner>(substance, KeyPathPart(part, keyPath, layout: substance.participant.layout))
  }

  /// A scope of the content of an optional property; `nil` if it has none now.
  ///
  /// Once made it leads to whatever content there is. While there is none, reads give the last one that was committed,
  /// a mix does nothing and its outcome is `gone`, and observations of it have ended. With a new content it works
  /// again; what observed it before stays ended.
  public func scope<Inner: Sendable>(_ keyPath: WritableKeyPath<Part, Inner?>) -> Scope<Inner>? {
    member(OptionalContent<Inner>(), in: scope(whole: keyPath))
  }

  /// A scope of an optional property as a whole, `nil` included, which is never gone. O(1).
  public func scope<Inner: Sendable>(whole keyPath: WritableKeyPath<Part, Inner?>) -> Scope<Inner?> {
    Scope<Inner?>(substance, KeyPathPart(part, keyPath, layout: substance.participant.layout))
  }

  /// A scope of the element with an identity, wherever it moves; `nil` if there is none now.
  ///
  /// Where it was last is where it is looked for first. While it is gone, reads give its last value that was committed,
  /// a mix does nothing and its outcome is `gone`, and observations of it have ended. If an element with this identity
  /// comes back, the scope leads to that; what observed it before stays ended. If several elements have the identity,
  /// it leads to one of them.
  ///
  /// Complexity: linear in the elements, but O(1) for scopes that are made in the order of their elements. As long as
  /// the scope is held, each commit that changes the collection looks at its element, and for it if it has moved.
  public func scope<Elements: MutableCollection & RandomAccessCollection & Sendable>(
    _ keyPath: WritableKeyPath<Part, Elements>,
    id: Elements.Element.ID
  ) -> Scope<Elements.Element>?
  where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
    member(IdentifiedElement<Elements>(id: id), in: scope(keyPath))
  }

  /// A scope of the entry of a dictionary with a key; `nil` if there is none now. As `scope(_:id:)` if it is gone.
  public func scope<Key: Hashable & Sendable, Value: Sendable>(
    _ keyPath: WritableKeyPath<Part, [Key: Value]>,
    key: Key
  ) -> Scope<Value>? {
    member(DictionaryEntry<Key, Value>(key: key), in: scope(keyPath))
  }

  func member<M: Membership>(_ membership: M, in container: Scope<M.Container>) -> Scope<M.Member>? {
    substance.noteReading(of: container.part.key)
    return MemberPart(membership, of: substance.participant, in: container.part)
      .map { Scope<M.Member>(substance, $0) }
  }
}

extension Substance {
  /// A scope of what a key path leads to in the state. O(1).
  ///
  /// ```swift
  /// let profile = app.scope(\.profile)
  /// profile.mix { $0.name = "Ada" }
  /// ```
  public final func scope<Part: Sendable>(_ keyPath: WritableKeyPath<S, Part>) -> Scope<Part> {
    mixableScope.scope(keyPath)
  }

  /// A scope of the content of an optional property; `nil` if it has none now. See `Scope.scope(_:)`.
  public final func scope<Part: Sendable>(_ keyPath: WritableKeyPath<S, Part?>) -> Scope<Part>? {
    mixableScope.scope(keyPath)
  }

  /// A scope of an optional property as a whole, `nil` included, which is never gone. O(1).
  public final func scope<Part: Sendable>(whole keyPath: WritableKeyPath<S, Part?>) -> Scope<Part?> {
    mixableScope.scope(whole: keyPath)
  }

  /// A scope of the element with an identity, wherever it moves; `nil` if there is none now. See `Scope.scope(_:id:)`.
  public final func scope<Elements: MutableCollection & RandomAccessCollection & Sendable>(
    _ keyPath: WritableKeyPath<S, Elements>,
    id: Elements.Element.ID
  ) -> Scope<Elements.Element>?
  where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
    mixableScope.scope(keyPath, id: id)
  }

  /// A scope of the entry of a dictionary with a key; `nil` if there is none now. See `Scope.scope(_:key:)`.
  public final func scope<Key: Hashable & Sendable, Value: Sendable>(
    _ keyPath: WritableKeyPath<S, [Key: Value]>,
    key: Key
  ) -> Scope<Value>? {
    mixableScope.scope(keyPath, key: key)
  }
}
