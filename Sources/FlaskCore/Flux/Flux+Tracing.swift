// What a flux does while somebody traces it: as without, and each operation is told.
extension Flux {
  /// Performs an operation now, or lets it wait.
  @inline(never)
  func submitTraced(_ operation: FluxOperation, isolation: ActorIdentity) -> FluxReceipt {
    let submission = tracing.submission()
    let pending = queue.decide { queue -> PendingOutcome? in
      if queue.beginAtOnce() { return nil }
      let pending = PendingOutcome(of: self)
      queue.wait(
        WaitingOperation(
          operation: operation,
          pending: pending,
          submission: WaitingSubmission(submission.orCaused(by: PendingOutcome.lockOfThisTask(of: self)))
        )
      )
      return pending
    }
    if let pending {
      tracing.didWait(operation.identity, submission, in: self)
      return FluxReceipt(pending)
    }
    if isAnotherCurrent {
      return Flux.$current.withValue(self) { performTraced(operation, submission, isolation: isolation) }
    }
    return performTraced(operation, submission, isolation: isolation)
  }

  /// Performs one closure over one substance now, or lets it wait.
  @inline(never)
  func submitTraced(_ step: some SingleStep, isolation: ActorIdentity) -> FluxReceipt {
    guard queue.beginAloneTraced() || queue.decide({ $0.beginAtOnce() }) else {
      return submitTraced(step.operation, isolation: isolation)
    }
    if isAnotherCurrent {
      return Flux.$current.withValue(self) { performTraced(step, isolation: isolation) }
    }
    return performTraced(step, isolation: isolation)
  }

  @inline(__always)
  private func performTraced(_ step: some SingleStep, isolation: ActorIdentity) -> FluxReceipt {
    let submission = tracing.submission()
    let identity = OperationIdentity(.mix, at: step.place)
    tracing.begin(identity, submission, at: submission.time, isolation: isolation)
    let result = transaction.performEnlisted(step, isolation: isolation)
    tracing.end(result)
    goOn(isolation: isolation)
    return FluxReceipt(result)
  }

  private func performTraced(
    _ operation: FluxOperation,
    _ submission: OperationSubmission,
    isolation: ActorIdentity
  ) -> FluxReceipt {
    let result = performTraced(operation, submission, at: submission.time, lock: nil, isolation: isolation)
    goOn(isolation: isolation)
    return FluxReceipt(result)
  }

  /// Performs an operation that has waited.
  @inline(never)
  func tracedResult(of operation: borrowing WaitingOperation, isolation: ActorIdentity) -> OperationResult {
    performTraced(
      operation.operation,
      operation.submission?.submission,
      at: nil,
      lock: operation.lock,
      isolation: isolation
    )
  }

  private func performTraced(
    _ operation: FluxOperation,
    _ submission: OperationSubmission?,
    at time: UInt64?,
    lock: FluxLock?,
    isolation: ActorIdentity
  ) -> OperationResult {
    tracing.begin(
      operation.identity,
      submission,
      at: time,
      isolation: isolation,
      content: operation.content
    )
    let result =
      switch operation {
      case .mix(let step): transaction.performEnlisted(step, isolation: isolation)
      case .draft(let held): transaction.performEnlisted(held.step, isolation: isolation)
      case .work(let work): work.perform(in: transaction, lock: lock, isolation: isolation)
      }
    tracing.end(result)
    return result
  }
}
