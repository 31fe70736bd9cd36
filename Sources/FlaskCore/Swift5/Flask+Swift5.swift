extension Flask {
  /// Performs `body` in the current flux, from clients in Swift 5 mode: their closures need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @discardableResult
  public static func performInFluxQueue(
    isolation: (any Actor)? = #isolation,
    _ body: @escaping () -> Void
  ) -> FluxReceipt {
    Flux.current.performInFluxQueue(isolation: isolation, UncheckedClosure.performing(body))
  }

  /// A reactor with its handler, from clients in Swift 5 mode: their closures need not be `Sendable`. See
  /// `reactor(attachedTo:mixing:handler:)`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @discardableResult
  public static func reactor<Owner: AnyObject>(
    attachedTo owner: Owner,
    mixing substances: [AnySubstance],
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    handler: @escaping @isolated(any) (_ owner: Owner, _ reaction: FlaskReaction) -> Void
  ) -> Reactor<Owner> {
    let reactor = reactor(
      attachedTo: owner,
      mixing: substances,
      isolation: isolation,
      fileID: fileID,
      line: line
    )
    let handler: Reactor<Owner>.Handler = UncheckedClosure.handling(handler)
    reactor.handler = handler
    return reactor
  }
}
