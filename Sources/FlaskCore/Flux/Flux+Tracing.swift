// What a flux does while somebody traces it: as without, and each operation is told.
extension Flux {
  /// Performs an operation now, or lets it wait.
  @inline(never)
  func submitTraced(_ operation: FluxOperation, isolation: ActorIdentity) -> FluxReceipt {
    let submission = tracing.submission(to: self)
    let pending = queue.decide { queue -> PendingOutcome? in
      if queue.beginAtOnce() { return nil }
      let pending = PendingOutcome(of: self)
      queue.wait(
        WaitingOperation(
          operation: operation,
          pending: pending,
          submission: WaitingSubmission(submission)
        )
      )
      return pending
    }
    if let pending {
      tracing.didWait(operation.identity, submission, in: self)
      return FluxReceipt(pending)
    }
    return withCurrent {
      let result = performTraced(operation, submission, lock: nil, isolation: isolation)
      goOn(isolation: isolation)
      return FluxReceipt(result)
    }
  }

  /// Performs an operation that has waited.
  @inline(never)
  func tracedResult(of operation: borrowing WaitingOperation, isolation: ActorIdentity) -> OperationResult {
    performTraced(
      operation.operation,
      operation.submission?.submission,
      lock: operation.lock,
      isolation: isolation
    )
  }

  private func performTraced(
    _ operation: FluxOperation,
    _ submission: OperationSubmission?,
    lock: FluxLock?,
    isolation: ActorIdentity
  ) -> OperationResult {
    tracing.begin(operation.identity, submission, isolation: isolation)
    let result =
      switch operation {
      case .mix(let step): transaction.performEnlisted(step, isolation: isolation)
      case .work(let work): work.perform(in: transaction, lock: lock, isolation: isolation)
      }
    tracing.end(result)
    return result
  }
}
