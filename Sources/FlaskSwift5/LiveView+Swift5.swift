public import FlaskCore
public import FlaskDiff
public import FlaskViews

extension LiveView {
  /// Observes the elements, from clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public func observe(
    isolation: (any Actor)? = #isolation,
    _ handler: @escaping @isolated(any) (_ changes: ElementChanges<Element>) -> Void
  ) -> SubstanceObservation {
    observe(isolation: isolation, UncheckedSendable.observing(handler))
  }
}

extension SectionedView {
  /// Observes the sections, from clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public func observe(
    isolation: (any Actor)? = #isolation,
    _ handler: @escaping @isolated(any) (_ changes: SectionChanges<Key, Element>) -> Void
  ) -> SubstanceObservation {
    observe(isolation: isolation, UncheckedSendable.observing(handler))
  }
}
