/// Something for the flux to do: what is not a plain mix says itself how it is performed.
///
/// It names the substances that take part (`FluxTransaction.enlist`), changes their drafts, and ends the transaction by
/// `commit` or `discard`.
protocol FluxWork: Sendable {
  /// What a tracer is told that it is. Asked only if there is one.
  var identity: OperationIdentity { get }
  /// What it is asked to do, if that is a value. As `identity`.
  var content: OperationContent? { get }
  /// Whether it goes when somebody purges the flux.
  var isPurged: Bool { get }

  /// Performs the work, as the one operation in progress. The work holds its substances until it returns.
  func perform(in transaction: FluxTransaction, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult
}

extension FluxWork {
  var content: OperationContent? { nil }
  var isPurged: Bool { true }
}

/// One operation. One closure over one substance, which is what most are, is stored without an allocation.
enum FluxOperation: Sendable {
  /// Of a chain.
  case mix(MixStep)
  /// A direct mix, and its substance.
  case draft(HeldDraftStep)
  case work(any FluxWork)

  /// What a tracer is told that it is.
  var identity: OperationIdentity {
    switch self {
    case .mix(let step): OperationIdentity(.mix, at: step.place)
    case .draft(let held): OperationIdentity(.mix, at: held.step.place)
    case .work(let work): work.identity
    }
  }

  /// What it is asked to do, if that is a value.
  var content: OperationContent? { if case .work(let work) = self { work.content } else { nil } }

  /// Whether it goes when somebody purges the flux.
  var isPurged: Bool { if case .work(let work) = self { work.isPurged } else { true } }
}

/// An operation that waits for its turn.
struct WaitingOperation: Sendable {
  let operation: FluxOperation
  let pending: PendingOutcome
  /// The lock that came with it, for an operation of the exclusive lane.
  var lock: FluxLock?
  /// When and why it was submitted, if somebody traced the flux then.
  var submission: WaitingSubmission?
}

/// The two closures of a chain that has to wait.
struct PairWork: FluxWork {
  let first: MixStep
  let second: MixStep

  var identity: OperationIdentity { OperationIdentity(.chain, at: first.place) }

  func perform(in transaction: FluxTransaction, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult
  {
    transaction.perform(first, second, lock: lock, isolation: isolation)
  }
}

/// The closures of a longer chain, performed as one operation.
struct ChainWork: FluxWork {
  let steps: [MixStep]

  var identity: OperationIdentity { OperationIdentity(.chain, at: steps.first?.place ?? SourcePlace()) }

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
  let place: SourcePlace

  var identity: OperationIdentity { OperationIdentity(.rollback, at: place) }

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
  /// Where it was submitted.
  var place = SourcePlace()

  var identity: OperationIdentity { OperationIdentity(.closure, at: place) }

  func perform(in transaction: FluxTransaction, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult
  {
    body()
    return .unchanged
  }
}
