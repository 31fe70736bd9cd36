extension Substance {
  /// Changes the state: now if the flux is idle and unlocked, else when the turn of the operation comes.
  ///
  /// ```swift
  /// counter.mix { $0.count += 1 }
  /// ```
  /// Like a mix by a reactor: observers and reactors are notified of the changed keys, and no reader ever sees a
  /// partial change. If it is called inside of a mix or a reaction, the operation is performed after the operation in
  /// progress.
  ///
  /// - Parameters:
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - body: changes the draft that it is passed, on the thread that performs the operation. An error that it throws
  ///     discards the operation, and is its outcome. While it runs, `prop` of the same substance is a fault. In clients
  ///     in Swift 5 mode it need not be `Sendable`.
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
    let options = MixOptions(isolation, fileID, line)
    return mixAtOnce(with: options, body) ?? submit(body, with: options)
  }

  /// Performs a mix and returns its receipt, if this is possible at once. Otherwise the result is `nil`, and the caller
  /// must submit the mix.
  @inlinable
  @inline(__always)
  package final func mixAtOnce(
    with options: MixOptions,
    _ body: (inout S) throws -> Void
  ) -> FluxReceipt? {
    // The cell does not retain the substance, and the caller may have the only reference: without this, the substance
    // could be deallocated during the mix.
    withExtendedLifetime(self) {
      guard let draft = cell.begin(with: options) else { return nil }
      do {
        try body(&draft.assumingMemoryBound(to: S.self).pointee)
      } catch {
        return cell.discardAndEndWithReceipt(error, with: options)
      }
      return cell.commitAndEnd(with: options)
    }
  }

  /// Performs or submits a mix for which `Cell.begin` has returned `nil`. If another flux is the current one, the mix
  /// begins again with its own flux as the current one. Otherwise it is an operation, which is performed now or queued,
  /// or it is refused.
  @usableFromInline
  package final func submit(
    _ body: @escaping @Sendable (inout S) throws -> Void,
    with options: MixOptions
  ) -> FluxReceipt {
    if cell.refuseInDeinit(at: options.place) { return .aborted }
    if flux.isAnotherCurrent {
      // This flux is often idle: that of a document or of a server's session, mixed by code of the app's flux.
      return flux.withCurrent { mixAtOnce(with: options, body) ?? submit(body, with: options) }
    }
    let identity = OperationIdentity(.mix, at: options.place)
    let operation = FluxOperation(identity, in: flux) { [self] drafts in
      try body(&drafts.openDraft(of: cell).assumingMemoryBound(to: S.self).pointee)
      return .commit
    }
    return flux.submit(operation, isolation: options.isolation)
  }

  /// Changes the state, waits for the commit and its notifications, and returns the result of `body`.
  ///
  /// ```swift
  /// let number = try await counter.transaction { state in
  ///   state.count += 1
  ///   return state.count
  /// }
  /// ```
  /// What `body` throws discards everything, and is thrown as it is. A task that is cancelled while the operation waits
  /// gets a `CancellationError`, and nothing happens; an operation that has begun is not interrupted. Reactions on
  /// another isolation may arrive later.
  ///
  /// - Parameters:
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - body: changes the draft that it is passed, on the thread that performs the operation.
  /// - Throws: the error of `body`; `CancellationError`; a `FluxError` if the operation was purged or would wait for
  ///   itself. It would wait for itself inside of a mix of the substance, and inside of `withLock` of its flux, which
  ///   is also a fault. The holder of a lock that was taken otherwise is unknown: then this waits until it is released.
  @inlinable
  public final func transaction<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (inout S) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let options = MixOptions(isolation, fileID, line)
    if let draft = cell.begin(with: options) { return try transactAtOnce(on: draft, with: options, body) }
    let result = TransactionResult<Result>()
    let mix: @Sendable (inout S) throws -> Void = { state in result.value = try body(&state) }
    let receipt = submit(mix, with: options)
    if try receipt.mustBeAwaited() {
      try await flux.finish(receipt, over: [cell], at: options.place, isolation: isolation)
    }
    return try result.get()
  }

  /// Performs a transaction whose operation has already begun.
  @inlinable
  final func transactAtOnce<Result>(
    on draft: UnsafeMutableRawPointer,
    with options: MixOptions,
    _ body: (inout S) throws -> Result
  ) throws -> Result {
    // The cell does not retain the substance, and the caller may have the only reference: without this, the substance
    // could be deallocated during the call.
    try withExtendedLifetime(self) {
      let result: Result
      do {
        result = try body(&draft.assumingMemoryBound(to: S.self).pointee)
      } catch {
        cell.discardAndEnd(error, with: options)
        throw error
      }
      cell.commitAndEnd(with: options)
      return result
    }
  }
}
