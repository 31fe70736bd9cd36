public import FlaskCore

extension Flux {
  /// Performs `body` in the flux, from clients in Swift 5 mode: their closures need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @discardableResult
  public func performInFluxQueue(
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping () -> Void
  ) -> FluxReceipt {
    performInFluxQueue(isolation: isolation, fileID: fileID, line: line, UncheckedSendable.performing(body))
  }

  /// Pauses this flux and performs `mixer` on it, from clients in Swift 5 mode: the payload need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @discardableResult
  public func lock<M: RawRepresentable>(
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
    return lock(
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
