public import FlaskCore
public import FlaskDiff
public import FlaskScopes

extension Scope {
  /// Observes the value at a key path, from clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public func observe<Value>(
    _ keyPath: KeyPath<Part, Value>,
    isolation: (any Actor)? = #isolation,
    _ handler: @escaping @isolated(any) (_ old: Value, _ new: Value) -> Void
  ) -> SubstanceObservation {
    observe(keyPath, isolation: isolation, UncheckedSendable.observing(handler))
  }

  /// Observes the part, from clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public func observe(
    isolation: (any Actor)? = #isolation,
    _ handler: @escaping @isolated(any) (_ old: Part, _ new: Part) -> Void
  ) -> SubstanceObservation {
    observe(isolation: isolation, UncheckedSendable.observing(handler))
  }

  /// Observes the elements of a list in the part, from clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public func observe<Elements: Collection & Sendable>(
    elements keyPath: WritableKeyPath<Part, Elements>,
    isolation: (any Actor)? = #isolation,
    _ handler: @escaping @isolated(any) (_ changes: ElementChanges<Elements.Element>) -> Void
  ) -> SubstanceObservation where Elements.Element: Identifiable {
    observe(elements: keyPath, isolation: isolation, UncheckedSendable.observing(handler))
  }

  /// Observes whether the part exists, from clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public func observePresence(
    isolation: (any Actor)? = #isolation,
    _ handler: @escaping @isolated(any) (_ isPresent: Bool) -> Void
  ) -> SubstanceObservation {
    observePresence(isolation: isolation, UncheckedSendable.observing(handler))
  }

  /// Changes the part, from clients in Swift 5 mode: the closure need not be `Sendable`. See `mix(_:)`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @discardableResult
  public func mix(
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (inout Part) throws -> Void
  ) -> FluxReceipt {
    mix(isolation: isolation, fileID: fileID, line: line, UncheckedSendable.mixing(body))
  }
}
