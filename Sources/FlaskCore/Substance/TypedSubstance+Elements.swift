extension TypedSubstance {
  /// Calls `handler` after each commit that changed any element of a list, as long as the observation is retained. The
  /// handler gets the inserted, removed, moved and updated elements, by their identity.
  ///
  /// ```swift
  /// let token = todos.observe(elements: \.items) { changes in
  ///   for update in changes.updates { reload(row: update.newOffset) }
  /// }
  /// ```
  /// A commit that does not change the list costs nothing. Any other commit costs one comparison of the old and the new
  /// list: see `ElementChanges(from:to:)`. For the order and the isolation see `observe(_:_:)`.
  ///
  /// - Parameters:
  ///   - keyPath: of a collection of identifiable values.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - handler: receives the changes, which are never empty. In clients in Swift 5 mode it need not be `Sendable`.
  @available(swift, introduced: 6)
  public final func observe<Elements: Collection>(
    elements keyPath: KeyPath<S, Elements>,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ handler:
      @escaping @isolated(any) @Sendable (_ changes: ElementChanges<Elements.Element>) -> Void
  ) -> SubstanceObservation where Elements.Element: Identifiable {
    let plain = PlainFunction.of(handler)
    let compare = PlainFunction.handler { (old: Elements, new: Elements) in
      let changes = ElementChanges(from: old, to: new)
      if !changes.isEmpty { plain(changes) }
    }
    return observe(keyPath, isolation: handler.isolation ?? isolation, compare)
  }

  /// Calls `handler` after each commit that changed any entry of a dictionary, as long as the observation is retained.
  /// The handler gets the inserted, removed and updated entries. See `observe(elements:_:)`.
  @available(swift, introduced: 6)
  public final func observe<Key: Hashable, Value>(
    entries keyPath: KeyPath<S, [Key: Value]>,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ handler:
      @escaping @isolated(any) @Sendable (_ changes: EntryChanges<Key, Value>) -> Void
  ) -> SubstanceObservation {
    let plain = PlainFunction.of(handler)
    let compare = PlainFunction.handler { (old: [Key: Value], new: [Key: Value]) in
      let changes = EntryChanges(from: old, to: new)
      if !changes.isEmpty { plain(changes) }
    }
    return observe(keyPath, isolation: handler.isolation ?? isolation, compare)
  }

  /// The changes of the elements of a list as a sequence: first the present elements, as inserted; then the changes
  /// since the previous value. A slow reader gets the changes of several commits as one.
  ///
  /// ```swift
  /// for await changes in todos.elementChanges(of: \.items) { table.apply(changes) }
  /// ```
  /// The sequence ends with the task that reads it, and with the substance, which it does not retain.
  public final func elementChanges<List: Collection & Sendable>(
    of keyPath: KeyPath<S, List>
  ) -> ElementChangesSequence<List> where List.Element: Identifiable {
    ElementChangesSequence<List>(base: values(of: keyPath))
  }
}
