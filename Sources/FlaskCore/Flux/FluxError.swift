/// Why a transaction was not performed. Nothing has changed then.
public enum FluxError: Error, Sendable, Hashable {
  /// It was dropped while it waited, by `purgeFluxQueue()`.
  case purged
  /// A scope that it was to change leads to nothing any more.
  case gone
  /// It would wait for ever: the running task holds a lock of the flux, or performs a mix that names the substance. That
  /// has been reported as a fault.
  case waitsForItself
  /// Its substances belong to several buses, or its scopes overlap. That has been reported as a fault.
  case misused
}

/// What a transaction returned or threw, on its way from the performer to the task that waits.
///
/// `@unchecked Sendable`: written by the performer, before the outcome is known; read after that.
final class TransactionResult<Value>: @unchecked Sendable {
  var value: Value?
}

extension Flux {
  /// Waits for a transaction that has been submitted; withdraws it if the task is cancelled before it begins.
  func finish<Value>(
    _ receipt: FluxReceipt,
    _ result: TransactionResult<Value>,
    isolation: isolated (any Actor)?
  ) async throws -> Value {
    let outcome =
      if let known = receipt.resultIfKnown {
        known
      } else {
        await withTaskCancellationHandler {
          await receipt.result
        } onCancel: {
          if let pending = receipt.pending { withdraw(pending) }
        }
      }
    switch outcome {
    case .committed, .unchanged:
      // An operation that has ended so has run its closure.
      if let value = result.value { return value }
      throw FluxError.misused
    case .failed(let error): throw error
    case .purged:
      try Task.checkCancellation()
      throw FluxError.purged
    case .gone: throw FluxError.gone
    case .aborted: throw FluxError.misused
    }
  }

  /// Drops an operation if it still waits; its receipt says `purged`.
  private func withdraw(_ pending: PendingOutcome) {
    let dropped = queue.decide { $0.removeFirst { $0.pending === pending } }
    if let dropped, queue.isTraced { tracing.drop(dropped) }
    dropped?.pending.fill(.purged)
  }

  /// Whether the running task would wait for itself if it waited for an operation of this flux; reported, if so.
  func waitsForItself(_ participant: Participant, at location: SourceLocation) -> Bool {
    let isLocked = PendingOutcome.lockOfThisTask(of: self) != nil
    guard isLocked || participant.isOpen else { return false }
    report(
      .awaitedUnderLock,
      "a transaction over \(participant.subject.name) is awaited \(isLocked ? "inside `withLock`" : "inside a mix of it"), "
        + "which would never end; await it after that",
      at: location
    )
    return true
  }
}
