/// The error of a transaction that was not performed. Nothing has changed.
///
/// Later versions may add cases: a `switch` over it has an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum FluxError: Error, Sendable, Hashable {
  /// The operation was dropped by `purgeFluxQueue()` while it waited.
  case purged
  /// The part of the scope that the transaction was to change no longer exists.
  case gone
  /// The transaction would wait for ever: the running task is inside of `withLock` of the flux, or performs a mix that
  /// names the substance. The wait is also reported as a fault.
  case waitsForItself
  /// The substances belong to several fluxes, or the scopes overlap. That was reported as a fault.
  case misused
}

/// The result of a transaction, passed from the performer to the awaiting task.
///
/// `@unchecked Sendable`:
/// - Invariant: the performer writes before the outcome is known; the awaiting task reads after the outcome is known.
/// - If violated: a data race.
@usableFromInline
package final class TransactionResult<Value>: @unchecked Sendable {
  @usableFromInline package var value: Value?

  @inlinable
  init() {}

  /// The value that the closure returned. Call after the operation was performed, so that the closure has run.
  @inlinable
  func get() throws -> Value {
    guard let value else { throw FluxError.misused }
    return value
  }
}

extension OperationResult {
  /// Throws the error of a transaction that ended with this result; returns if the transaction was performed.
  package func check() throws {
    switch self {
    case .committed, .ended(.unchanged), .ended(.committed): break
    case .ended(.failed(let error)): throw error
    case .ended(.purged):
      try Task.checkCancellation()
      throw FluxError.purged
    case .ended(.gone): throw FluxError.gone
    case .ended(.cancelled): throw CancellationError()
    case .ended(.aborted): throw FluxError.misused
    case .ended(.waiting): throw FluxError.waitsForItself
    }
  }
}

extension FluxReceipt {
  /// Returns `true` if the transaction must be awaited. Otherwise it has ended, and an error is thrown if it was not
  /// performed.
  @usableFromInline
  func mustBeAwaited() throws -> Bool {
    if pending != nil { return true }
    try resultIfKnown?.check()
    return false
  }
}

extension Flux {
  /// Waits for a queued transaction. Withdraws it if the task is cancelled before the transaction begins, or if the
  /// transaction would wait for this task.
  @usableFromInline
  func finish(
    _ receipt: FluxReceipt,
    over cells: [Cell],
    at location: SourcePlace,
    isolation: isolated (any Actor)?
  ) async throws {
    guard let pending = receipt.pending else { return }
    if let known = pending.resultIfKnown { return try known.check() }
    for cell in cells where waitsForItself(cell, at: location) {
      if withdraw(pending) { throw FluxError.waitsForItself }
    }
    await withTaskCancellationHandler {
      await pending.ended()
    } onCancel: {
      _ = withdraw(pending)
    }
    try (pending.resultIfKnown ?? .ended(.purged)).check()
  }

  /// Drops an operation if it is still queued; its receipt has the outcome `purged`. Complexity: O(1), amortised.
  private func withdraw(_ pending: FluxOperation) -> Bool {
    let isWithdrawn = queue.decide { queue in
      if !pending.withdraw() { return false }
      queue.didWithdraw()
      return true
    }
    if isWithdrawn { pending.drop() }
    return isWithdrawn
  }

  /// Whether the running task would wait for itself if it waited for an operation of this flux. If so, a fault is
  /// reported.
  private func waitsForItself(_ cell: Cell, at location: SourcePlace) -> Bool {
    let isLocked = FluxOperation.lockOfThisTask(of: self, isHeldHere: true) != nil
    guard isLocked || cell.isOpen else { return false }
    report(
      .awaitedUnderLock,
      "a transaction over \(cell.subject.name) is awaited \(isLocked ? "inside `withLock`" : "inside a mix of it"), "
        + "which would never end; await it after that",
      at: location
    )
    return true
  }
}
