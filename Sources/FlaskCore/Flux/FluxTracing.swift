/// The interface that a flux calls while it is traced. `FluxTracers` of `FlaskInsight` implements it, and notifies the
/// tracers.
///
/// The object is made when the flux is traced for the first time. While no tracer exists (`FluxQueue.isTraced`), a mix
/// calls none of these functions.
package protocol FluxTracing: AnyObject, Sendable {
  // MARK: By the performer

  /// Called when an operation begins.
  ///
  /// - Parameters:
  ///   - submission: the submission of a queued operation; `nil` for an operation that its caller performs.
  ///   - time: the time at which the operation began, if it is known.
  ///   - content: the action, or the mixer with its payload; `nil` for a closure.
  func begin(
    _ identity: OperationIdentity,
    _ submission: OperationSubmission?,
    at time: UInt64?,
    isolation: ActorIdentity,
    content: () -> OperationContent?
  )

  /// Called when the draft of a substance was published, before any listener is notified.
  func didCommit(_ cell: Cell)

  /// Called before the listeners of a substance are notified.
  func willNotifyAll(of cell: Cell)

  /// Called before a listener is notified.
  ///
  /// - Parameter ownerType: the type of the owner of a reactor; `nil` for an observer.
  func willNotify(listenerOf ownerType: Any.Type?)

  /// Called after a listener was notified, or after its commit was queued.
  ///
  /// - Parameters:
  ///   - key: the key that an observer observes; -1 for everything, and for a reactor.
  ///   - isLater: whether the listener is notified later, on another isolation.
  func didNotify(listenerOf ownerType: Any.Type?, key: Int, isLater: Bool)

  func end(_ result: OperationResult)

  // MARK: By any thread

  /// An operation has to wait.
  func didWait(_ identity: OperationIdentity, _ submission: OperationSubmission, in flux: Flux)

  /// An operation has ended without being performed.
  func drop(_ dropped: FluxOperation, as outcome: FluxOutcome)

  /// The cause of an operation that this thread or task submits now. It is the operation in progress on this thread,
  /// the delivery of a commit to the isolation, or an effect.
  var causeHere: OperationCause? { get }

  /// The number of the operation that this thread performs; 0 if it performs no operation, or one that is not traced.
  var numberHere: Int { get }

  /// Performs `body`. The operations that it submits have the cause `cause`; with `nil` they have none.
  func causing(_ cause: OperationCause?, _ body: () -> Void)

  /// Performs `body`. Operations that its task submits have `cause` as their cause.
  func causing(_ cause: OperationCause, _ body: () async -> Void) async
}

extension FluxTracing {
  /// Returns the submission of an operation that this thread or task submits now.
  func submission(cause: OperationCause? = nil) -> OperationSubmission {
    OperationSubmission(time: OperationSubmission.now, cause: cause ?? causeHere)
  }
}

extension Flux {
  /// `nil` while this flux is not traced.
  package var tracing: (any FluxTracing)? { queue.isTraced ? tracingSlot.present?.use { $0.value } : nil }

  /// Performs `body`. The operations that it submits have the cause `cause`; with `nil` they have none.
  package func causing(_ cause: OperationCause?, _ body: () -> Void) {
    guard cause != nil || queue.isTraced, let tracing = tracingSlot.present?.object.value else {
      return body()
    }
    tracing.causing(cause, body)
  }

  /// Performs `body`. Operations that its task submits have `cause` as their cause.
  package func causing(_ cause: OperationCause?, _ body: () async -> Void) async {
    guard let cause, let tracing = tracingSlot.present?.object.value else { return await body() }
    await tracing.causing(cause, body)
  }

  /// Notifies the tracers of the beginning of an operation, which is traced until `OperationDrafts.endTracing(_:)`.
  /// Called by the performing thread.
  @inline(never)
  func beginTracing(
    _ identity: OperationIdentity,
    _ submission: OperationSubmission? = nil,
    at time: UInt64? = nil,
    isolation: ActorIdentity,
    content: () -> OperationContent?
  ) {
    guard let tracing = tracingSlot.present else { return }
    drafts.tracing = tracing
    tracing.use { $0.value.begin(identity, submission, at: time, isolation: isolation, content: content) }
  }
}

extension OperationDrafts {
  /// Ends the traced operation in progress.
  @inline(never)
  package func endTracing(_ result: OperationResult) {
    tracing.take()?.use { $0.value.end(result) }
  }
}

extension Listener {
  /// Receives a commit like `receive(_:from:)`, and reports the notification to the tracers.
  func receive(
    _ commit: Commit,
    from callerIsolation: ActorIdentity,
    observing key: Int?,
    tracedBy tracing: any FluxTracing
  ) {
    let isLater = !isolation.isCurrent(callerIsolation: callerIsolation)
    tracing.willNotify(listenerOf: ownerType)
    receive(commit, from: callerIsolation)
    tracing.didNotify(listenerOf: ownerType, key: key ?? -1, isLater: isLater)
  }
}
