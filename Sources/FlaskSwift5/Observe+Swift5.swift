public import FlaskCore
public import FlaskDiff

extension AnySubstance {
  /// Observes a key, from clients in Swift 5 mode: their closures need not be `Sendable`. See `observe(key:_:)`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func observe(
    key: String,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ handler: @escaping @isolated(any) (SubstanceChange) -> Void
  ) -> SubstanceObservation {
    observe(key: key, isolation: isolation, fileID: fileID, line: line, UncheckedSendable.observing(handler))
  }

  /// Observes the key that a case of the state's `prop` names, from clients in Swift 5 mode: the closure need not be
  /// `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func observe(
    _ key: any RawRepresentable<StateProp>,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ handler: @escaping @isolated(any) (SubstanceChange) -> Void
  ) -> SubstanceObservation {
    observe(key: key.rawValue, isolation: isolation, fileID: fileID, line: line, handler)
  }
}

extension TypedSubstance {
  /// Observes the value at a key path, from clients in Swift 5 mode: their closures need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @inlinable
  public final func observe<Value>(
    _ keyPath: KeyPath<S, Value>,
    isolation: (any Actor)? = #isolation,
    _ handler: @escaping @isolated(any) (_ old: Value, _ new: Value) -> Void
  ) -> SubstanceObservation {
    observe(keyPath, isolation: isolation, UncheckedSendable.observing(handler))
  }

  /// Calls `handler` with the values at some key paths, at once and after each change, from clients in Swift 5 mode:
  /// the closure need not be `Sendable`. See `observe(valuesOf:handler:)`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func observe<each Value>(
    valuesOf keyPath: repeat KeyPath<S, each Value>,
    isolation: (any Actor)? = #isolation,
    handler: @escaping @isolated(any) (repeat each Value) -> Void
  ) -> SubstanceObservation {
    observeValues(
      of: repeat each keyPath,
      isolation: isolation,
      UncheckedSendable.observingPack(handler)
    )
  }

  /// Calls `observer` with the state after each commit that changed any of some keys, from clients in Swift 5 mode: the
  /// closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func observe(
    anyOf keyPaths: [PartialKeyPath<S>],
    isolation: (any Actor)? = #isolation,
    _ observer: @escaping @isolated(any) (_ state: S) -> Void
  ) -> SubstanceObservation {
    observe(anyOf: keyPaths, isolation: isolation, UncheckedSendable.observing(observer))
  }

  /// Observes the elements of a list, from clients in Swift 5 mode: their closures need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func observe<Elements: Collection>(
    elements keyPath: KeyPath<S, Elements>,
    isolation: (any Actor)? = #isolation,
    _ handler: @escaping @isolated(any) (_ changes: ElementChanges<Elements.Element>) -> Void
  ) -> SubstanceObservation where Elements.Element: Identifiable {
    observe(elements: keyPath, isolation: isolation, UncheckedSendable.observing(handler))
  }

  /// Observes the entries of a dictionary, from clients in Swift 5 mode: their closures need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func observe<Key: Hashable, Value>(
    entries keyPath: KeyPath<S, [Key: Value]>,
    isolation: (any Actor)? = #isolation,
    _ handler: @escaping @isolated(any) (_ changes: EntryChanges<Key, Value>) -> Void
  ) -> SubstanceObservation {
    observe(entries: keyPath, isolation: isolation, UncheckedSendable.observing(handler))
  }
}
