extension Flux {
  /// Performs `body` in the flux, from clients in Swift 5 mode: their closures need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @discardableResult
  public func performInFluxQueue(
    isolation: (any Actor)? = #isolation,
    _ body: @escaping () -> Void
  ) -> FluxReceipt {
    performInFluxQueue(isolation: isolation, UncheckedClosure.performing(body))
  }
}
