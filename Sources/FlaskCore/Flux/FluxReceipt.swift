/// What a submitted operation hands back: a promise of its outcome.
///
/// Discarding a receipt costs nothing. Of an operation that was performed before the call returned, the receipt
/// knows the outcome already; of one that waits, it will be told when the reactions have been delivered.
public struct FluxReceipt: Sendable {
  private let storage: Storage

  private enum Storage: Sendable {
    case done(OperationResult)
    case pending(PendingOutcome)
  }

  @inline(__always)
  init(_ result: OperationResult) { storage = .done(result) }

  init(_ pending: PendingOutcome) { storage = .pending(pending) }

  /// The outcome, once the operation has been performed and its synchronous reactions have returned.
  ///
  /// Suspends while the operation waits: behind a lock that is never released, for ever. May be awaited from
  /// several tasks, and more than once.
  public var outcome: FluxOutcome {
    get async {
      switch storage {
      case .done(let result): result.outcome
      case .pending(let pending): await pending.outcome
      }
    }
  }

  /// The outcome if the operation has ended, `nil` while it waits or is in progress. Never suspends.
  public var outcomeIfKnown: FluxOutcome? {
    switch storage {
    case .done(let result): result.outcome
    case .pending(let pending): pending.outcomeIfKnown
    }
  }
}
