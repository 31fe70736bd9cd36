internal import Dispatch
internal import Synchronization

// Operations are performed as follows:
//
// 1. `begin` takes the flux for its caller, which changes drafts, commits them, and calls `end`. Everything is on the
// caller's stack.
// 2. If `begin` returns `false` since another flux is the current one, the caller makes this flux the current one, and
// begins again. Otherwise it makes a `FluxOperation` and submits it. The operation is performed at once or queued.
// 3. `end` makes the flux idle, or performs the operations that were queued in the meantime.
extension Flux {
  /// Makes the flux busy with an operation that the caller performs itself. The caller ends the operation by `end`.
  ///
  /// - Returns: `false` if the operation would have to wait or is refused, if the running code has another current
  ///   flux, is in a consistent read, or is work that ends with its state (`WorkRun`). Then nothing has happened.
  @inline(__always)
  package func begin(
    _ identity: @autoclosure () -> OperationIdentity,
    content: @autoclosure () -> OperationContent? = nil,
    isolation: ActorIdentity
  ) -> Bool {
    if isAnotherCurrent || WorkRun.here != nil || !queue.beginUncontended() { return false }
    if queue.isTraced { beginTracing(identity(), isolation: isolation, content: content) }
    return true
  }

  /// Ends the operation that the caller has performed, and performs queued operations.
  @inline(__always)
  package func end(_ result: OperationResult, isolation: ActorIdentity) {
    if drafts.tracing != nil { drafts.endTracing(result) }
    if !queue.finishUncontended() { goOn(isolation: isolation) }
  }

  /// Performs an operation that starts no effects or other work that continues after it. If the flux is idle, the
  /// operation is performed now, and no object is allocated for it, unless it fails. Otherwise the operation is
  /// submitted by `submit(_:cause:isolation:)`, which queues or refuses it.
  package func perform(
    _ identity: OperationIdentity,
    isolation: ActorIdentity,
    _ body: @escaping @Sendable (OperationDrafts) throws -> FluxOperation.Ending
  ) -> FluxReceipt {
    guard begin(identity, isolation: isolation) else {
      if isAnotherCurrent { return withCurrent { perform(identity, isolation: isolation, body) } }
      return submit(FluxOperation(identity, in: self, body), isolation: isolation)
    }
    let result = UnretainedReference(drafts).use { $0.perform(body, lock: nil, isolation: isolation) }
    end(result, isolation: isolation)
    return FluxReceipt(result, at: identity.place, in: self)
  }

  /// Performs an operation at once if the flux is idle and unlocked. Otherwise queues the operation, or refuses it: see
  /// `refuseInDerivedValue(_:)` and `refuseAtEnd(_:)`. A refused operation has ended as `aborted`.
  ///
  /// - Parameter cause: the cause of the operation, if that is not the operation that this thread performs.
  package func submit(
    _ operation: FluxOperation,
    cause: OperationCause? = nil,
    isolation: ActorIdentity
  ) -> FluxReceipt {
    if operation.isOfEndedWork {
      operation.drop(as: .cancelled)
      return FluxReceipt(operation)
    }
    let submission = tracing?.submission(cause: cause)
    if let submission {
      let lock = operation.lock ?? FluxOperation.lockOfThisTask(of: self)
      operation.submission = submission.orCaused(by: lock)
    }
    switch queue.beginUncontended() ? true : beginOrWait(operation) {
    case true?:
      operation.isAtOnce = true
      perform(operation, isolation: isolation)
    case false?:
      if let submission { tracing?.didWait(operation.identity, submission, in: self) }
      // The work may have ended, and dropped what it had queued, before the operation was queued.
      operation.dropIfEnded()
    case nil: break
    }
    return FluxReceipt(operation)
  }

  /// Checks again whether an operation that did not find the flux idle can be performed at once. If `false` is
  /// returned, the operation is queued. The result is `nil` if the operation was refused.
  @inline(never)
  private func beginOrWait(_ operation: FluxOperation) -> Bool? {
    if !admit(operation) { return nil }
    let (isAtOnce, abandoned): (Bool?, [FluxLock]) = queue.decide { [fluxQueue = queue] queue in
      // The process may have begun to end after `admit(_:)` had checked that.
      if fluxQueue.refuses(operation) { return (nil, []) }
      if queue.beginAtOnce() { return (true, []) }
      operation.enterQueue()
      queue.enqueue(operation)
      // Abandoned locks are searched for only if the number of queued operations is a power of two, so searches are
      // rare.
      let count = queue.waitingCount
      return (false, count & (count - 1) == 0 ? queue.locks { FluxLock.isAbandoned(&$0) } : [])
    }
    report(abandoned: abandoned)
    if isAtOnce == nil { _ = admit(operation) }
    return isAtOnce
  }

  /// Performs `body` while no operation is in progress, and none begins.
  ///
  /// - Returns: `false`, without calling `body`, if an operation is in progress, on this thread or another one.
  package func performBetweenOperations(_ body: () -> Void) -> Bool {
    if !queue.decide({ $0.beginBetweenOperations() }) { return false }
    body()
    goOn(isolation: .none)
    return true
  }

  /// Performs an operation, such as one of a replay, even if the flux is locked. The operation precedes all queued
  /// operations, except those that were queued by this function before. It is queued only while another operation is in
  /// progress.
  package func submitExclusively(_ operation: FluxOperation, isolation: ActorIdentity) -> FluxReceipt {
    operation.submission = tracing?.submission()
    operation.willBePerformed()
    if admit(operation), queue.decide({ $0.enter(operation) }) { perform(operation, isolation: isolation) }
    return FluxReceipt(operation)
  }

  /// Ends the operation in progress, and performs queued operations.
  @inline(never)
  private func goOn(isolation: ActorIdentity) {
    if let next = queue.finish() { perform(next, isolation: isolation, isOwn: false) }
  }

  /// Performs an operation, and then the queued operations of all threads. These operations read committed states, even
  /// if the calling code has a current `StateReader`.
  ///
  /// - Parameter isOwn: whether the running code has submitted `operation`. This matters inside a fault handler: faults
  ///   of its own operation go to standard error, and faults of other queued operations go to the handler.
  package func perform(_ operation: FluxOperation, isolation: ActorIdentity, isOwn: Bool = true) {
    CurrentReader.suspended {
      WorkRun.outside { performAll(operation, isolation: isolation, isOwn: isOwn) }
    }
  }

  private func performAll(_ operation: FluxOperation, isolation: ActorIdentity, isOwn: Bool) {
    var rest: FluxOperation? = operation
    withCurrent {
      for number in 0..<Flux.batch {
        guard let next = rest else { return }
        if isOwn && number == 0 {
          performOne(next, isolation: isolation)
        } else {
          FaultHandler.outside { performOne(next, isolation: isolation) }
        }
        rest = queue.finish()
      }
    }
    guard let rest else { return }
    // The rest is performed on a separate serial queue, which gets a thread even if all threads of the pool are
    // blocked.
    DispatchQueue(label: "Flask.flux", qos: .userInitiated).async { self.perform(rest, isolation: .none) }
  }

  @inline(never)
  private func performOne(_ operation: FluxOperation, isolation: ActorIdentity) {
    if operation.isOfEndedWork { return operation.drop(as: .cancelled) }
    if queue.isTraced {
      beginTracing(
        operation.identity,
        // The operation was submitted before the flux was traced, so its cause is unknown.
        operation.submission ?? OperationSubmission(time: OperationSubmission.now, cause: nil),
        at: operation.isAtOnce ? operation.submission?.time : nil,
        isolation: isolation,
        content: { operation.content }
      )
    }
    operation.willBePerformed()
    drafts.causeCount.store(operation.causeCount, ordering: .relaxed)
    let result = operation.perform(in: drafts, isolation: isolation)
    if operation.causeCount != 0 { endCaused(operation, result) }
    if drafts.tracing != nil { drafts.endTracing(result) }
    operation.lock?.operationDidEnd(with: result)
    operation.fill(result)
  }
}
