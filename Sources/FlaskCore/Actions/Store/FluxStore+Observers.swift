@_spi(FlaskInternals) internal import FlaskDiff

extension FluxStore {
  /// Calls `observer` once after each action that changed any of some keys, with the state after it, for as long as the observation
  /// is held.
  ///
  /// The state is that of the change, whatever has happened to the store since. Told after the reactors, in the order in which the
  /// observers were made, on the isolation of the closure or, if it has none, that of the caller: on the performing thread if there is
  /// none either.
  ///
  /// - Parameters:
  ///   - keyPaths: of stored properties, nested ones too. Any other (computed ones, for one) is read and compared after each change.
  ///   - isolation: where the caller is; leave it out.
  ///   - observer: receives the state.
  @available(swift, introduced: 6)
  public final func addObserver(
    for keyPaths: [PartialKeyPath<S>],
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext observing observer: @escaping @isolated(any) @Sendable (_ state: S) -> Void
  ) -> SubstanceObservation {
    // See `Reactor.handler`: it is only called on its isolation.
    let plain = unsafeBitCast(observer, to: ((S) -> Void).self)
    return addObserver(keyPaths, on: observer.isolation ?? isolation, plain)
  }

  final func addObserver(
    _ keyPaths: [PartialKeyPath<S>],
    on isolation: (any Actor)?,
    _ observer: @escaping (S) -> Void
  ) -> SubstanceObservation {
    let keys = keyPaths.compactMap { core.layout.index(of: $0) }
    let others = keyPaths.filter { core.layout.index(of: $0) == nil }
    if keys.count == 1 && others.isEmpty {
      return observe(key: keys[0], on: isolation) { (_: UnsafeRawPointer, new: UnsafeRawPointer) in
        observer(new.assumingMemoryBound(to: S.self).pointee)
      }
    }
    return observe(key: -1, on: isolation) { record in
      record.withStates { old, new in
        let old = old.assumingMemoryBound(to: S.self)
        let new = new.assumingMemoryBound(to: S.self)
        let isConcerned =
          keys.contains { record.changes.pointee.contains($0) }
          || others.contains { !StateDiff.areEqual(old.pointee[keyPath: $0], new.pointee[keyPath: $0]) }
        if isConcerned { observer(new.pointee) }
      }
    }
  }

  /// Calls `handler` with the old and the new value after each action that changed what `keyPath` leads to. See `Substance.observe`.
  @available(swift, introduced: 6)
  public final func observe<Value>(
    _ keyPath: KeyPath<S, Value>,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
  ) -> SubstanceObservation {
    observe(keyPath, on: handler.isolation ?? isolation, PlainHandler(of: handler).body)
  }

  final func observe<Value>(
    _ keyPath: KeyPath<S, Value>,
    on isolation: (any Actor)?,
    _ handler: @escaping (Value, Value) -> Void
  ) -> SubstanceObservation {
    let key = core.layout.index(of: keyPath)
    return observe(key: key ?? -1, on: isolation) { (old: UnsafeRawPointer, new: UnsafeRawPointer) in
      let old = old.assumingMemoryBound(to: S.self).pointee[keyPath: keyPath]
      let new = new.assumingMemoryBound(to: S.self).pointee[keyPath: keyPath]
      if key != nil || !StateDiff.areEqual(old, new) { handler(old, new) }
    }
  }
}
