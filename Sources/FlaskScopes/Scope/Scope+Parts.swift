extension Mixable {
  /// A scope of the whole content: of the state of a substance, or of the part of a scope.
  public var mixableScope: Scope<Part> {
    let part = _mixablePart
    // The cast is safe: `PartAccess` is the only class that conforms to `MixableAccess`.
    let access = part.access.map { unsafeDowncast($0, to: PartAccess<Part>.self) }
    return Scope(reference: part.reference, part: access ?? PartAccess<Part>())
  }

  /// A scope of the value at a key path of the state, or of this part. O(1).
  ///
  /// ```swift
  /// let profile = app.scope(\.profile)
  /// profile.mix { $0.name = "Ada" }
  /// ```
  public func scope<Inner: Sendable>(_ keyPath: WritableKeyPath<Part, Inner>) -> Scope<Inner> {
    mixableScope.part(keyPath)
  }

  /// Returns a scope of the content of an optional property; `nil` if the property is `nil` now.
  ///
  /// The scope always resolves to the present content of the property. While the property is `nil`, reads return the
  /// last committed content, and a mix does nothing and has the outcome `gone`. The observations of the content have
  /// ended. When the property has content again, the scope works again. Observations that have ended do not begin
  /// again.
  public func scope<Inner: Sendable>(_ keyPath: WritableKeyPath<Part, Inner?>) -> Scope<Inner>? {
    scope(whole: keyPath).member(OptionalContent<Inner>())
  }

  /// A scope of an optional property as a whole, `nil` included, which always exists. O(1).
  public func scope<Inner: Sendable>(whole keyPath: WritableKeyPath<Part, Inner?>) -> Scope<Inner?> {
    mixableScope.part(keyPath)
  }

  /// Returns a scope of the element with an identity, at any position; `nil` if the element does not exist now.
  ///
  /// The search for the element begins at its last position. While the element is missing, reads return its last
  /// committed value, and a mix does nothing and has the outcome `gone`. The observations of the element have ended. If
  /// an element with this identity is inserted again, the scope resolves to it. Observations that have ended do not
  /// begin again. If several elements have the identity, the scope resolves to one of these.
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

  /// Returns a scope of the entry of a dictionary with a key; `nil` if the entry does not exist now. For an entry that
  /// is removed later, see `scope(_:id:)`.
  public func scope<Key: Hashable & Sendable, Value: Sendable>(
    _ keyPath: WritableKeyPath<Part, [Key: Value]>,
    key: Key
  ) -> Scope<Value>? {
    scope(keyPath).member(DictionaryEntry<Key, Value>(key: key))
  }

  /// Returns the same scope as `scope(_:id:)`, in a short form for reading: `board[\.rows, id: 9]?.title`. In this
  /// example, a tracked closure depends on `title` of this element, and on the presence of this element.
  public subscript<Elements: MutableCollection & RandomAccessCollection & Sendable>(
    keyPath: WritableKeyPath<Part, Elements>,
    id id: Elements.Element.ID
  ) -> Scope<Elements.Element>?
  where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
    scope(keyPath, id: id)
  }

  /// Returns the same scope as `scope(_:key:)`, in a short form for reading: `board[\.table, key: "a"]?.title`. In this
  /// example, a tracked closure depends on `title` of this entry, and on the presence of this entry.
  public subscript<Key: Hashable & Sendable, Value: Sendable>(
    keyPath: WritableKeyPath<Part, [Key: Value]>,
    key key: Key
  ) -> Scope<Value>? {
    scope(keyPath, key: key)
  }
}

extension Scope {
  fileprivate func part<Inner: Sendable>(_ keyPath: WritableKeyPath<Part, Inner>) -> Scope<Inner> {
    Scope<Inner>(reference: reference, part: KeyPathPart(part, keyPath, layout: cell.layout))
  }

  /// A scope of a member of this container; `nil` if the member does not exist now.
  func member<M: Membership>(_ membership: M) -> Scope<M.Member>? where M.Container == Part {
    let publisher = substance?.publisherToNote(partOf: part.key)
    func make() -> Scope<M.Member>? {
      let member: PartAccess<M.Member>? =
        reference.isOfWork
        ? WorkMemberPart(membership, of: cell, in: part)
        : MemberPart(membership, of: cell, in: part, isOfWork: false)
      return member.map { Scope<M.Member>(reference: reference, part: $0) }
    }
    guard let publisher else { return make() }
    // A tracked closure depends on the presence of the member if the member exists. Otherwise it depends on the
    // container.
    if let scope = make(), scope.isPresent { return scope }
    publisher.noteAccess(to: part.key)
    return make()
  }
}
