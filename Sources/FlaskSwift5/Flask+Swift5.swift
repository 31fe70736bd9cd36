public import FlaskCore

extension Flask {
  /// Performs `body` in the current flux, from clients in Swift 5 mode: their closures need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @discardableResult
  public static func performInFluxQueue(
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping () -> Void
  ) -> FluxReceipt {
    let body = UncheckedSendable.performing(body)
    return Flux.current.performInFluxQueue(isolation: isolation, fileID: fileID, line: line, body)
  }

  /// Creates a reactor with a handler, from clients in Swift 5 mode: the handler need not be `Sendable`. See
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
    let handler: Reactor<Owner>.Handler = Reactor.handler(unchecked: handler)
    reactor.handler = handler
    return reactor
  }

  /// Creates a reactor over one substance with a handler, from clients in Swift 5 mode: the handler need not be
  /// `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @discardableResult
  public static func reactor<Owner: AnyObject>(
    attachedTo owner: Owner,
    mixing substance: AnySubstance,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    handler: @escaping @isolated(any) (_ owner: Owner, _ reaction: FlaskReaction) -> Void
  ) -> Reactor<Owner> {
    reactor(
      attachedTo: owner,
      mixing: [substance],
      isolation: isolation,
      fileID: fileID,
      line: line,
      handler: handler
    )
  }

  /// Applies a global mixer, from clients in Swift 5 mode: the payload need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @discardableResult
  public static func substances<M: RawRepresentable>(
    reactTo mixer: M,
    payload: [String: Any]? = nil,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxReceipt where M.RawValue == SubstanceMixer {
    let payload: FluxPayload? = payload.map(UncheckedSendable.payload)
    return substances(reactTo: mixer, payload: payload, isolation: isolation, fileID: fileID, line: line)
  }

  /// As `substances(reactTo:payload:)`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @discardableResult
  public static func applyMixer<M: RawRepresentable>(
    _ mixer: M,
    payload: [String: Any]? = nil,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxReceipt where M.RawValue == SubstanceMixer {
    let payload: FluxPayload? = payload.map(UncheckedSendable.payload)
    return substances(reactTo: mixer, payload: payload, isolation: isolation, fileID: fileID, line: line)
  }

  /// Pauses the current flux and performs `mixer` on it, from clients in Swift 5 mode: the payload need not be
  /// `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @discardableResult
  public static func lock<M: RawRepresentable>(
    withMixer mixer: M,
    payload: [String: Any]? = nil,
    autorelease: Bool = false,
    timeout: Duration? = nil,
    clock: (any Clock<Duration>)? = nil,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxLock where M.RawValue == SubstanceMixer {
    let payload: FluxPayload? = payload.map(UncheckedSendable.payload)
    return Flux.current.lock(
      withMixer: mixer,
      payload: payload,
      autorelease: autorelease,
      timeout: timeout,
      clock: clock,
      isolation: isolation,
      fileID: fileID,
      line: line
    )
  }
}
