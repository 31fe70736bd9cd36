extension Substance {
  /// Changes the state: now if the flux is idle and unlocked, else when the turn of the operation comes.
  ///
  /// ```swift
  /// counter.mix { $0.count += 1 }
  /// ```
  /// The same as a mix by a reactor, without one: observers and reactors are told of what changed, and nobody ever sees
  /// half of it. Called inside a mix or a reaction, the operation is performed after the one in progress.
  ///
  /// - Parameters:
  ///   - isolation: where the caller is; leave it out.
  ///   - fileID: where a trace says that it was mixed; leave it out.
  ///   - line: the line in that file; leave it out.
  ///   - body: changes the state that it is lent, on the thread that performs the operation. What it throws discards
  ///     the operation. While it runs, `prop` of the same substance is a fault. In clients in Swift 5 mode it need not
  ///     be `Sendable`.
  /// - Returns: a promise of the outcome, which may be ignored.
  @available(swift, introduced: 6)
  @discardableResult
  @inlinable
  public final func mix(
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (inout S) throws -> Void
  ) -> FluxReceipt {
    withExtendedLifetime(self) {
      DraftStep(participant, at: SourcePlace(fileID, line), InoutFunction.untyped(body))
        .react(isolation: ActorIdentity(isolation))
    }
  }

  /// Changes the state and returns what `body` returned, when the change has been committed and told; waits until then.
  ///
  /// ```swift
  /// let number = try await counter.transaction { state in
  ///   state.count += 1
  ///   return state.count
  /// }
  /// ```
  /// What `body` throws discards everything, and is thrown as it is. A task that is cancelled while the operation waits
  /// gets a `CancellationError`, and nothing happens; an operation that has begun is not disturbed. Reactions whose
  /// isolation is elsewhere may arrive later.
  ///
  /// - Parameters:
  ///   - isolation: where the caller is; leave it out.
  ///   - fileID: where a fault is reported at; leave it out.
  ///   - line: the line in that file; leave it out.
  ///   - body: changes the state that it is lent, on the thread that performs the operation.
  /// - Throws: what `body` throws; `CancellationError`; a `FluxError` if the operation was purged, or would wait for
  ///   itself: inside a mix of the substance, and inside `withLock` of its flux, which is a fault, too. Who holds a
  ///   lock that was taken otherwise is not known: then this waits until it is released.
  @inlinable
  public final func transaction<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (inout S) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    if participant.beginAlone() { return try transactAlone(isolation: ActorIdentity(isolation), body) }
    let result = TransactionResult<Result>()
    let mix: @Sendable (inout S) throws -> Void = { state in result.value = try body(&state) }
    let place = SourcePlace(fileID, line)
    let receipt = withExtendedLifetime(self) {
      DraftStep(participant, at: place, InoutFunction.untyped(mix)).react(isolation: ActorIdentity(isolation))
    }
    if try receipt.mustBeAwaited() {
      try await participant.finish(receipt, at: SourceLocation(fileID, line), isolation: isolation)
    }
    return try result.get()
  }

  /// Performs a transaction that need not wait, and has begun.
  @inlinable
  final func transactAlone<Result>(
    isolation: ActorIdentity,
    _ body: (inout S) throws -> Result
  ) throws -> Result {
    // The caller's may be the last reference, and the participant does not hold the substance.
    try withExtendedLifetime(self) {
      let result: Result
      do {
        result = try body(&participant.lentDraft.assumingMemoryBound(to: S.self).pointee)
      } catch {
        participant.discardAlone(isolation: isolation)
        throw error
      }
      participant.commitAlone(isolation: isolation)
      return result
    }
  }
}
