/// The handle of a submitted operation: a promise of its outcome.
///
/// Discarding a receipt costs nothing. If the operation was performed before the call returned, the receipt has the
/// outcome already; if it is queued, the receipt gets the outcome when the reactions have been delivered.
///
/// If the closure of the operation threw, and the last copy of the receipt is released before the outcome was read, the
/// error is reported as the fault `errorDropped`.
public struct FluxReceipt: Sendable {
  private let storage: Storage

  private enum Storage: Sendable {
    case done(OperationResult)
    case pending(FluxOperation)
  }

  @inline(__always)
  package init(_ result: OperationResult) { storage = .done(result) }

  package init(_ pending: FluxOperation) { storage = .pending(pending) }

  /// The receipt of an operation that its caller has performed.
  ///
  /// - Parameters:
  ///   - place: the source location of the submission. A fault names it if the receipt's error is never read.
  ///   - followUp: the work that the operation has started.
  @inline(__always)
  package init(
    _ result: OperationResult,
    at place: SourcePlace,
    in flux: Flux,
    followUp: (any FollowUp)? = nil
  ) {
    let isDone = followUp == nil && result.isDone
    storage =
      isDone
      ? .done(result) : .pending(FluxOperation(ended: result, at: place, in: flux, followUp: followUp))
  }

  /// The receipt of an operation that is not submitted, since it was refused or its chain ended with `abort()`.
  @usableFromInline package static var aborted: FluxReceipt { FluxReceipt(.ended(.aborted)) }

  /// The outcome, available once the operation has been performed and its synchronous reactions have returned.
  ///
  /// Suspends while the operation waits. If the awaiting task is cancelled, the outcome is `waiting`; if a lock is
  /// never released, only a cancellation ends the wait. May be awaited from several tasks, and more than once.
  public var outcome: FluxOutcome { get async { await outcome(isCancellable: true) } }

  /// The outcome, once it is known.
  ///
  /// - Parameter isCancellable: whether a cancellation of the awaiting task ends the wait, with the outcome `waiting`.
  package func outcome(isCancellable: Bool) async -> FluxOutcome {
    switch storage {
    case .done(let result): result.outcome
    case .pending(let pending): await pending.outcome(isCancellable: isCancellable)
    }
  }

  /// The outcome if the operation has ended, `nil` while it waits or is in progress. Never suspends.
  public var outcomeIfKnown: FluxOutcome? { resultIfKnown?.outcome }

  /// The result if the operation has ended.
  var resultIfKnown: OperationResult? {
    switch storage {
    case .done(let result): result
    case .pending(let pending): pending.resultIfKnown
    }
  }

  /// This receipt, for operations whose failure is an expected result: an error that is not read is not reported as a
  /// fault.
  package var quiet: FluxReceipt {
    pending?.ignoreError()
    return self
  }

  /// The object of the operation; `nil` if the receipt contains only a result.
  package var pending: FluxOperation? { if case .pending(let pending) = storage { pending } else { nil } }

  /// The result, once the operation has ended.
  var result: OperationResult {
    get async {
      if let pending { await pending.ended() }
      return resultIfKnown ?? .ended(.purged)
    }
  }

  /// Returns once the operation has ended. For an action, its consequences must have ended too: every effect that it
  /// started, the actions that these and its workers dispatched, and so on. For an action that a worker or a reaction
  /// dispatched, it returns once everything that the outermost action caused has ended. For an action that an effect
  /// dispatched, it returns once everything that this action caused has ended; the effect itself does not count. It
  /// also returns when the awaiting task is cancelled.
  ///
  /// Actions that an effect dispatches other than through its `dispatch` parameter are not awaited. The property does
  /// not wait for a handler on another isolation either. The exception: if it is awaited on the main actor, it returns
  /// after the handlers on the main actor (Linux, and Apple's systems from 26 on).
  public var finished: Void {
    get async {
      switch storage {
      case .done: break
      case .pending(let pending):
        // An operation queued behind a lock that this task holds would never end; that was reported.
        if case .waiting = await pending.outcome(isCancellable: true) { return }
        await pending.followUp?.finished()
      }
    }
  }
}

extension FluxReceipt: CustomStringConvertible {
  /// The receipt with its outcome, or with `waiting` if the outcome is not known yet.
  public var description: String { outcomeIfKnown.map { "FluxReceipt(\($0))" } ?? "FluxReceipt(waiting)" }
}

extension Flux {
  /// Reports the error of an operation whose receipt was released before the outcome was read.
  func reportUnread(_ result: OperationResult, at place: SourcePlace) {
    guard case .ended(.failed(let error)) = result else { return }
    report(
      .errorDropped,
      "an operation threw \(SafeText.of(error)), so nothing of it happened, and its receipt was released unread; catch the error in the "
        + "closure, read the receipt's `outcome`, or use `transaction`, which throws it",
      at: place
    )
  }
}
