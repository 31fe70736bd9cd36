@_spi(FlaskInternals) internal import FlaskArchive

extension Flux {
  /// The default dispatcher of this flux; the one of `Flask.bus` is that of the app.
  ///
  /// Beside its workers it reaches each living substance of the flux that defines an action. The flux holds it, and it
  /// holds its workers, which hold the flux: of a flux of one's own, unregister them when it has served
  /// (`unregisterAll()`).
  public var dispatcher: FluxDispatcher { attachment { FluxDispatcher(defaultOf: $0) } }

  /// Performs an action that nothing waits for, unless it has to wait itself (fast path): nothing of it is copied.
  @inline(__always)
  func performAtOnce(
    _ action: any FluxAction,
    by dispatcher: FluxDispatcher,
    at location: SourceLocation,
    isolation: ActorIdentity
  ) -> FluxReceipt? {
    // While an action goes its way, the flux is busy: so nothing counts for this one either.
    if isAnotherCurrent || !queue.beginAlone() { return nil }
    let (result, tracker) = ActionOperation.perform(
      action,
      by: dispatcher,
      tracker: nil,
      run: nil,
      at: location,
      in: transaction,
      isolation: isolation
    )
    tracker?.leave()
    if !queue.finishAlone() { goOn(isolation: isolation) }
    return tracker.map { FluxReceipt(result, followUp: $0) } ?? FluxReceipt(result)
  }

  /// Performs an action now, or lets it wait.
  ///
  /// - Parameter promised: where the outcome is awaited already.
  func submit(
    _ operation: consuming ActionOperation,
    promised: PendingOutcome? = nil,
    isolation: ActorIdentity
  ) -> FluxReceipt {
    let route = operation.dispatcher.route
    if operation.tracker == nil && route.isRunningHere { operation.tracker = route.trackerMade() }
    if promised == nil { operation.tracker?.enter() }
    operation.run?.enter()
    if !queue.beginAlone() {
      if queue.isTraced { return submitTraced(operation, promised, isolation: isolation) }
      if let pending = beginOrWait(&operation, promised) { return FluxReceipt(pending) }
    }
    if isAnotherCurrent {
      let begun = operation
      return Flux.$current.withValue(self) { performNow(begun, promised, isolation: isolation) }
    }
    return performNow(operation, promised, isolation: isolation)
  }

  @inline(__always)
  private func performNow(
    _ operation: borrowing ActionOperation,
    _ promised: PendingOutcome?,
    isolation: ActorIdentity
  ) -> FluxReceipt {
    let (result, tracker) = operation.performTracked(in: transaction, isolation: isolation)
    return didPerform(operation, promised, result, tracker, isolation: isolation)
  }

  @inline(__always)
  private func didPerform(
    _ operation: borrowing ActionOperation,
    _ promised: PendingOutcome?,
    _ result: OperationResult,
    _ tracker: ActionTracker?,
    isolation: ActorIdentity
  ) -> FluxReceipt {
    if let promised {
      promised.fill(result)
    } else {
      operation.run?.leave()
      tracker?.leave()
    }
    if !queue.finishAlone() { goOn(isolation: isolation) }
    if let promised { return FluxReceipt(promised) }
    return tracker.map { FluxReceipt(result, followUp: $0) } ?? FluxReceipt(result)
  }

  /// As `submit`, while somebody traces the flux.
  @inline(never)
  private func submitTraced(
    _ operation: consuming ActionOperation,
    _ promised: PendingOutcome?,
    isolation: ActorIdentity
  ) -> FluxReceipt {
    let submission = tracing.submission(cause: operation.run?.cause)
    if let pending = beginOrWait(&operation, promised, submission) {
      tracing.didWait(operation.identity, submission, in: self)
      return FluxReceipt(pending)
    }
    return withCurrent { [operation] in
      tracing.begin(
        operation.identity,
        submission,
        at: submission.time,
        isolation: isolation,
        content: operation.content
      )
      let (result, tracker) = operation.performTracked(in: transaction, isolation: isolation)
      tracing.end(result)
      return didPerform(operation, promised, result, tracker, isolation: isolation)
    }
  }

  /// `nil` if the caller is to perform the action now.
  private func beginOrWait(
    _ operation: inout ActionOperation,
    _ promised: PendingOutcome?,
    _ submission: OperationSubmission? = nil
  ) -> PendingOutcome? {
    queue.decide { queue in
      if queue.beginAtOnce() { return nil }
      let tracker = operation.tracker ?? ActionTracker()
      operation.tracker = tracker
      let pending =
        promised ?? PendingOutcome(of: self, followUp: ActionFollowUp(tracker: tracker, run: operation.run))
      queue.wait(
        WaitingOperation(
          operation: .work(operation),
          pending: pending,
          submission: submission.map {
            WaitingSubmission($0.orCaused(by: PendingOutcome.lockOfThisTask(of: self)))
          }
        )
      )
      return pending
    }
  }
}
