public import FlaskCore
public import FlaskDerived
public import FlaskDiff

extension Derived {
  /// Observes the value, from clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public func observe(
    isolation: (any Actor)? = #isolation,
    _ handler: @escaping @isolated(any) (_ old: Value, _ new: Value) -> Void
  ) -> SubstanceObservation {
    observe(isolation: isolation, UncheckedSendable.observing(handler))
  }

  /// Observes the value at a key path, from clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public func observe<Property>(
    _ keyPath: KeyPath<Value, Property>,
    isolation: (any Actor)? = #isolation,
    _ handler: @escaping @isolated(any) (_ old: Property, _ new: Property) -> Void
  ) -> SubstanceObservation {
    observe(keyPath, isolation: isolation, UncheckedSendable.observing(handler))
  }
}

extension Derived {
  /// Observes the elements of a derived list, from clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public func observe<Elements: Collection>(
    elements keyPath: KeyPath<Value, Elements>,
    isolation: (any Actor)? = #isolation,
    _ handler: @escaping @isolated(any) (_ changes: ElementChanges<Elements.Element>) -> Void
  ) -> SubstanceObservation where Elements.Element: Identifiable {
    observe(elements: keyPath, isolation: isolation, UncheckedSendable.observing(handler))
  }
}
