extension Scope {
  /// Changes the part: now if the flux is idle and unlocked, else when the turn of the operation comes. As
  /// `Substance.mix(_:)`; if what the scope leads to is gone, nothing happens and the outcome is `gone`.
  @available(swift, introduced: 6)
  @discardableResult
  public func mix(
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (inout Part) throws -> Void
  ) -> FluxReceipt {
    let parts = MixedParts(at: SourceLocation(fileID, line)).adding(self)
    return parts.submit(isolation: ActorIdentity(isolation)) { try mixablePart.lend(copied: false, body) }
  }

  /// Changes the part and returns what `body` returned, when the change has been committed and told. As
  /// `Substance.transaction(_:)`; if what the scope leads to is gone, `FluxError.gone` is thrown.
  public func transaction<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (inout Part) throws -> Result
  ) async throws -> Result {
    let parts = MixedParts(at: SourceLocation(fileID, line)).adding(self)
    return try await parts.transact(isolation: isolation) { result in
      try mixablePart.lend(copied: false) { result.value = try body(&$0) }
    }
  }
}
