extension Mixable {
  /// The whole of it as a scope.
  public var mixableScope: Scope<Part> {
    let part = mixablePart
    // Nothing else conforms.
    let access = part.access.map { unsafeDowncast($0, to: PartAccess<Part>.self) }
    return Scope(substance: part.substance, part: access ?? PartAccess<Part>())
  }

  /// A scope of the value at a key path of the state, or of this part of it. O(1).
  ///
  /// ```swift
  /// let profile = app.scope(\.profile)
  /// profile.mix { $0.name = "Ada" }
  /// ```
  public func scope<Inner: Sendable>(_ keyPath: WritableKeyPath<Part, Inner>) -> Scope<Inner> {
    mixableScope.part(keyPath)
  }

  /// A scope of the content of an optional property; `nil` if it has none now.
  ///
  /// Once made it resolves to whatever content there is. While there is none, reads give the last one that was
  /// committed, a mix does nothing and its outcome is `gone`, and observations of it have ended. With a new content it
  /// works again; what observed it before stays ended.
  public func scope<Inner: Sendable>(_ keyPath: WritableKeyPath<Part, Inner?>) -> Scope<Inner>? {
    scope(whole: keyPath).member(OptionalContent<Inner>())
  }

  /// A scope of an optional property as a whole, `nil` included, which always exists. O(1).
  public func scope<Inner: Sendable>(whole keyPath: WritableKeyPath<Part, Inner?>) -> Scope<Inner?> {
    mixableScope.part(keyPath)
  }

  /// A scope of the element with an identity, wherever it moves; `nil` if there is none now.
  ///
  /// The search for it starts at its last place. While the element is missing, reads return its last committed value, a
  /// mix does nothing and its outcome is `gone`, and its observations have ended. If an element with this identity is
  /// inserted again, the scope resolves to that; observations from before stay ended. If several elements have the
  /// identity, it resolves to one of them.
  ///
  /// Complexity: linear in the elements, but O(1) for scopes that are made in the order of their elements. As long as
  /// the scope is retained, each commit that changes the collection checks its element, and searches for it if it has
  /// moved.
  public func scope<Elements: MutableCollection & RandomAccessCollection & Sendable>(
    _ keyPath: WritableKeyPath<Part, Elements>,
    id: Elements.Element.ID
  ) -> Scope<Elements.Element>?
  where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
    scope(keyPath).member(IdentifiedElement<Elements>(id: id))
  }

  /// A scope of the entry of a dictionary with a key; `nil` if there is none now. As `scope(_:id:)` if it is removed.
  public func scope<Key: Hashable & Sendable, Value: Sendable>(
    _ keyPath: WritableKeyPath<Part, [Key: Value]>,
    key: Key
  ) -> Scope<Value>? {
    scope(keyPath).member(DictionaryEntry<Key, Value>(key: key))
  }

  /// `scope(_:id:)`, for reading: `board[\.rows, id: 9]?.title`. In a tracked closure it depends on that property of
  /// that element.
  public subscript<Elements: MutableCollection & RandomAccessCollection & Sendable>(
    keyPath: WritableKeyPath<Part, Elements>,
    id id: Elements.Element.ID
  ) -> Scope<Elements.Element>?
  where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
    scope(keyPath, id: id)
  }

  /// `scope(_:key:)`, for reading: `board[\.table, key: "a"]?.title`. In a tracked closure it depends on that property
  /// of that entry.
  public subscript<Key: Hashable & Sendable, Value: Sendable>(
    keyPath: WritableKeyPath<Part, [Key: Value]>,
    key key: Key
  ) -> Scope<Value>? {
    scope(keyPath, key: key)
  }
}

extension Scope {
  fileprivate func part<Inner: Sendable>(_ keyPath: WritableKeyPath<Part, Inner>) -> Scope<Inner> {
    Scope<Inner>(substance: substance, part: KeyPathPart(part, keyPath, layout: substance.cell.layout))
  }

  /// A scope of a member of this container; `nil` if it is not there now.
  func member<M: Membership>(_ membership: M) -> Scope<M.Member>? where M.Container == Part {
    let publisher = substance.publisherToNote(partOf: part.key)
    func make() -> Scope<M.Member>? {
      let member = MemberPart(membership, of: substance.cell, in: part)
      return member.map { Scope<M.Member>(substance: substance, part: $0) }
    }
    guard let publisher else { return make() }
    // In a tracked closure: depends on whether the member is there, and on the container if it is not.
    if let scope = make(), scope.isPresent { return scope }
    publisher.noteAccess(to: part.key)
    return make()
  }
}
