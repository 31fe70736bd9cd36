extension Flask {
  /// Pauses the current flux until the lock is released. See `Flux.lock`.
  public static func lock(
    timeout: Duration? = nil,
    clock: (any Clock<Duration>)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxLock {
    Flux.current.lock(timeout: timeout, clock: clock, fileID: fileID, line: line)
  }

  /// Pauses the current flux and performs `mixer` on it. See `Flux.lock(withMixer:)`.
  @available(swift, introduced: 6)
  @discardableResult
  public static func lock<M: RawRepresentable>(
    withMixer mixer: M,
    payload: FluxPayload? = nil,
    autorelease: Bool = false,
    timeout: Duration? = nil,
    clock: (any Clock<Duration>)? = nil,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxLock where M.RawValue == SubstanceMixer {
    Flux.current.lock(
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

  /// Pauses the current flux while `body` runs. The lock is released on every way out, cancellation included. See
  /// `Flux.withLock`.
  public static func withLock<Result>(
    timeout: Duration? = nil,
    clock: (any Clock<Duration>)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await Flux.current.withLock(
      timeout: timeout,
      clock: clock,
      fileID: fileID,
      line: line,
      isolation: isolation,
      body
    )
  }

  /// Releases every lock of the current flux. The flux continues to perform operations, unless a replay holds it.
  public static func removeLocks(isolation: (any Actor)? = #isolation) {
    Flux.current.removeLocks(isolation: isolation)
  }

  /// Drops the operations that wait in the current flux. The outcome of each dropped operation is `purged`. For the
  /// exceptions see `Flux.purgeFluxQueue()`.
  public static func purgeFluxQueue() { Flux.current.purgeFluxQueue() }

  /// Performs `body` in the current flux, in order with the mixes. See `Flux.performInFluxQueue`.
  @discardableResult
  @available(swift, introduced: 6)
  public static func performInFluxQueue(
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable () -> Void
  ) -> FluxReceipt {
    Flux.current.performInFluxQueue(isolation: isolation, fileID: fileID, line: line, body)
  }
}
