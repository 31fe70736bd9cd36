/// Something for the flux to do: what is not a plain mix says itself how it is performed.
///
/// It names the substances that take part (`FluxTransaction.enlist`), changes their drafts, and ends the transaction by
/// `commit` or `discard`.
protocol FluxWork: Sendable {
  /// Performs the work, as the one operation in progress. The work holds its substances until it returns.
  func perform(in transaction: FluxTransaction, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult
}

/// One operation. A plain mix, which is what most are, is stored as it is.
enum FluxOperation: Sendable {
  /// One closure over one substance.
  case mix(MixStep)
  case work(any FluxWork)
}

/// An operation that waits for its turn.
struct WaitingOperation: Sendable {
  let operation: FluxOperation
  let pending: PendingOutcome
  /// The lock that came with it, for an operation of the exclusive lane.
  var lock: FluxLock?
}

/// The two closures of a chain that has to wait.
struct PairWork: FluxWork {
  let first: MixStep
  let second: MixStep

  func perform(in transaction: FluxTransaction, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult
  {
    transaction.perform(first, second, lock: lock, isolation: isolation)
  }
}

/// The closures of a longer chain, performed as one operation.
struct ChainWork: FluxWork {
  let steps: [MixStep]

  func perform(in transaction: FluxTransaction, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult
  {
    do {
      for step in steps { try transaction.run(step) }
    } catch {
      transaction.discard()
      return .failed(error)
    }
    return transaction.commit(lock: lock, isolation: isolation)
  }
}

/// A substance goes back to its captured state.
struct RollbackWork: FluxWork {
  let participant: Participant
  let target: any AnyObject & Sendable

  func perform(in transaction: FluxTransaction, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult
  {
    guard participant.draftRestorePoint() else { return .aborted }
    transaction.append(participant)
    return transaction.commit(lock: lock, isolation: isolation)
  }
}

/// A closure of the user's, in order with the mixes.
struct ClosureWork: FluxWork {
  let body: @Sendable () -> Void

  func perform(in transaction: FluxTransaction, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult
  {
    body()
    return .unchanged
  }
}
