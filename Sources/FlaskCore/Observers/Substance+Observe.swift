@_spi(FlaskInternals) public import FlaskDiff

extension Substance {
  /// Calls `handler` with the old and the new value after each commit that changed what `keyPath` leads to, for as long as the
  /// observation is held.
  ///
  /// ```swift
  /// let token = feed.observe(\.counter) { old, new in print(old, "→", new) }
  /// ```
  /// A key path of stored properties is found by key: an observer that does not care costs a commit nothing. One that goes on from a
  /// stored property (optional chain, subscript) is evaluated after each commit that changed that; any other, after each
  /// commit that changed anything. See
  /// `AnySubstance.observe(_:_:)` for the order, and for where the handler runs.
  @available(swift, introduced: 6)
  @inlinable
  public final func observe<Value>(
    _ keyPath: KeyPath<S, Value>,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
  ) -> SubstanceObservation {
    let plain = PlainHandler(of: handler).body
    let isolation = handler.isolation ?? isolation
    if let offset = MemoryLayout<S>.offset(of: keyPath), let key = self.key(of: keyPath) {
      return observe(key: key, on: isolation) { old, new in
        plain(
          (old + offset).assumingMemoryBound(to: Value.self).pointee,
          (new + offset).assumingMemoryBound(to: Value.self).pointee
        )
      }
    }
    let isHidden = self.isHidden(keyPath)
    return observe(key: firstKey(of: keyPath) ?? -1, on: isolation) { old, new in
      let old = old.assumingMemoryBound(to: S.self).pointee[keyPath: keyPath]
      let new = new.assumingMemoryBound(to: S.self).pointee[keyPath: keyPath]
      if !isHidden && !StateDiff.areEqual(old, new) { plain(old, new) }
    }
  }

  @usableFromInline
  final func key<Value>(of keyPath: KeyPath<S, Value>) -> Int? { core.layout.index(of: keyPath) }

  @usableFromInline
  final func firstKey<Value>(of keyPath: KeyPath<S, Value>) -> Int? { core.layout.firstKey(of: keyPath) }

  @usableFromInline
  final func isHidden<Value>(_ keyPath: KeyPath<S, Value>) -> Bool { core.layout.isHidden(keyPath) }
}
