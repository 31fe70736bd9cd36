extension TypedSubstance {
  /// Calls `handler` with the old and the new value after each commit that changed the value at `keyPath`, for as long
  /// as the observation is retained.
  ///
  /// ```swift
  /// let token = feed.observe(\.counter) { old, new in print(old, "→", new) }
  /// ```
  /// The cost depends on the key path:
  ///
  /// - Stored properties only, as `\.info.title`. The observer is found by key: a commit of other keys costs nothing.
  /// - A stored property, then an optional chain or a subscript, as `\.items[0]`. The value is read and compared after
  ///   each commit that changed the stored property.
  /// - Anything else, such as a computed property. The value is read and compared after each commit that changed any
  ///   key.
  ///
  /// A hidden property (`_name`) of the state is excluded. If an `unowned` property refers to a deallocated object, a
  /// fault is reported, and the handler is not called. For the order and the isolation of the calls see
  /// `AnySubstance.observe(key:_:)`.
  @available(swift, introduced: 6)
  @inlinable
  public final func observe<Value>(
    _ keyPath: KeyPath<S, Value>,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
  ) -> SubstanceObservation {
    let plain = PlainFunction.of(handler)
    let isolation = handler.isolation ?? isolation
    if let offset = MemoryLayout<S>.offset(of: keyPath), let key = self.key(of: keyPath) {
      return observe(key: key, on: isolation) { old, new in
        plain(
          (old + offset).assumingMemoryBound(to: Value.self).pointee,
          (new + offset).assumingMemoryBound(to: Value.self).pointee
        )
      }
    }
    return observe(keyPath, on: isolation, plain)
  }

  /// Observes a value that cannot be read at its offset in the state: a computed property, a function, or the value of
  /// a subscript. The old and the new value are read by the key path and compared.
  @usableFromInline
  final func observe<Value>(
    _ keyPath: KeyPath<S, Value>,
    on isolation: (any Actor)?,
    _ handler: @escaping (Value, Value) -> Void
  ) -> SubstanceObservation {
    let layout = cell.layout
    let part = ValuePart(of: keyPath, in: layout)
    return observe(key: part.key, on: isolation) { [weak self] old, new in
      if part.isHidden { return }
      if let lost = layout.lostReference(among: part.references, in: old, new) {
        self?.reportLostReference(lost)
        return
      }
      let old = old.assumingMemoryBound(to: S.self).pointee[keyPath: keyPath]
      let new = new.assumingMemoryBound(to: S.self).pointee[keyPath: keyPath]
      if part.isExact || !TypeRecord.areEqual(old, new) { handler(old, new) }
    }
  }

  /// Calls `observer` once after each commit that changed any of some keys, for as long as the observation is retained.
  ///
  /// `observer` receives the state after the commit, whatever has happened to the substance afterwards. The closure is
  /// called after the reactors, key by key in the order of the keys. Observers of several keys come before all other
  /// observers. Observers of one key are called in the order in which they were made. The closure is called on its own
  /// isolation; if it has none, on the isolation of the caller. Without any isolation it is called on the performing
  /// thread.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of stored properties, also nested ones. The value at any other key path, as of a computed
  ///     property, is read and compared after each change.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - observer: receives the state.
  @available(swift, introduced: 6)
  public final func observe(
    anyOf keyPaths: [PartialKeyPath<S>],
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ observer: @escaping @isolated(any) @Sendable (_ state: S) -> Void
  ) -> SubstanceObservation {
    let plain = PlainFunction.of(observer)
    let parts = keyPaths.map { ValuePart(of: $0, in: cell.layout) }
    let isolation = HandlerIsolation(observer.isolation ?? isolation)
    return observe(key: parts.count == 1 ? parts[0].key : -1, on: isolation) { commit in
      if !parts.contains(where: { $0.isChanged(commit) }) { return }
      commit.withStates { _, new in plain(new.assumingMemoryBound(to: S.self).pointee) }
    }
  }

  /// The index of the key at `keyPath`, if its value may be read at its offset in the state; otherwise `nil`. A
  /// function may not be read so, since generic code stores functions in another form.
  @usableFromInline
  final func key<Value>(of keyPath: KeyPath<S, Value>) -> Int? {
    let layout = cell.layout
    return layout.index(of: keyPath).flatMap { layout.stored($0) == nil ? nil : $0 }
  }
}
