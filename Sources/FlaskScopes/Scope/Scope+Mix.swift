extension Scope {
  /// Changes the part: now if the flux is idle and unlocked, otherwise when the turn of the queued operation comes.
  /// Works like `Substance.mix(_:)`. If the part no longer exists, nothing happens and the outcome is `gone`.
  @available(swift, introduced: 6)
  @discardableResult
  public func mix(
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (inout Part) throws -> Void
  ) -> FluxReceipt {
    let part = _mixablePart
    let options = MixOptions(isolation, fileID, line)
    return MixedParts(with: options).adding(part).submit {
      try part.withDraft(copied: $0, body)
    }
  }

  /// Changes the part and returns what `body` returned, after the commit and its notifications. It works like
  /// `Substance.transaction(_:)`. If the part no longer exists, `FluxError.gone` is thrown.
  public func transaction<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (inout Part) throws -> Result
  ) async throws -> Result {
    let part = _mixablePart
    let options = MixOptions(isolation, fileID, line)
    return try await MixedParts(with: options).adding(part).transact(isolation: isolation) { result, _ in
      try part.withDraft(copied: false) { result.value = try body(&$0) }
    }
  }
}
