internal import FlaskPrimitives
internal import Synchronization

/// Notifies the tracers of a flux, and determines the cause of each operation.
///
/// `@unchecked Sendable`:
/// - Ownership: `progress` is made by `init` and freed by `deinit`.
/// - Isolation: while an operation is in progress, `progress` belongs to the thread that performs it, which `thread`
///   names. While no operation is in progress, the lock of the queue guards `progress`. All other variables are atomic
///   or behind a lock.
/// - If violated: a data race.
package final class FluxTracers: FluxTracing, @unchecked Sendable {
  /// The operation in progress.
  private struct Progress: ~Copyable {
    var operation = TracedOperation()
    /// The performer's copy of the list of tracers, and the version of the copied list.
    var tracers: [any FluxTracer] = []
    var version = 0
    /// `true` if at least one tracer wants commits, or beginnings of operations.
    var wantsCommits = false
    var wantsBeginnings = false
    /// The time at which the last handler returned, or at which the notification of listeners began; 0 if no listener
    /// was notified.
    var lastNotification: UInt64 = 0
    /// The index of the change whose listeners are being notified.
    var change = 0
    /// The phase of the operation. An operation that is submitted in this phase gets it as the kind of its cause.
    var kind = OperationCause.Kind.operation
  }

  private struct State {
    var tracers: [any FluxTracer] = []
    /// The causes that `causing(_:_:)` has set, by thread. `during` is the number of the operation that the thread
    /// performed when the call began, or 0.
    var handled: [UInt: (cause: OperationCause?, during: Int)] = [:]
  }

  /// The cause of the operations that the running task submits, and the identity of the flux's `FluxTracers` object to
  /// which this cause belongs.
  @TaskLocal fileprivate static var taskCause: (cause: OperationCause, tracing: ObjectIdentifier)?

  private let queue: FluxQueue
  private let progress: UnsafeMutablePointer<Progress>
  /// The thread that performs a traced operation; 0 if no thread does.
  private let thread = Atomic<UInt>(0)
  private let lastNumber = Atomic<Int>(0)
  private let handledCount = Atomic<Int>(0)
  /// Grows with each change of the list of tracers.
  private let version = Atomic<Int>(0)
  /// How many bodies run with a `taskCause`; at 0 it is not looked up.
  private static let taskCount = Atomic<Int>(0)
  private let state = Lock(State())

  init(queue: FluxQueue) {
    self.queue = queue
    progress = .allocate(capacity: 1)
    progress.initialize(to: Progress())
  }

  deinit {
    progress.deinitialize(count: 1)
    progress.deallocate()
  }

  // MARK: Tracers

  /// Adds a tracer, which is called for each operation that begins from now on.
  package func add(_ tracer: any FluxTracer) {
    state.withLock { state in
      state.tracers.append(tracer)
      version.add(1, ordering: .releasing)
      queue.setTraced(true)
    }
  }

  /// Stops the notifications of a tracer, except for the operation in progress.
  package func remove(_ tracer: any FluxTracer) {
    // The replaced objects are released after the lock.
    state.withLockReleasing { state in
      let old = state.tracers
      state.tracers.removeAll { $0 === tracer }
      version.add(1, ordering: .releasing)
      queue.setTraced(!state.tracers.isEmpty)
      return old
    }
    forgetTracers()
  }

  /// Makes the performer release its copy of the list of tracers, now or when the operation in progress has ended.
  private func forgetTracers() {
    final class TracerSnapshot { var tracers: [any FluxTracer] = [] }
    // The performer's list of tracers is moved into this object. So it is released together with the closure, after the
    // lock.
    let snapshot = TracerSnapshot()
    let progress = progress
    queue.change(nil) {
      swap(&snapshot.tracers, &progress.pointee.tracers)
      progress.pointee.version = -1
    }
  }

  /// The number of operations that have been traced.
  package var count: Int { lastNumber.load(ordering: .acquiring) }

  // MARK: What causes what

  package var causeHere: OperationCause? {
    let number = numberHere
    if handledCount.load(ordering: .relaxed) > 0,
      let handled = state.withLock({ $0.handled[ThreadIdentity.current] }), handled.during == number
    {
      return handled.cause
    }
    if number != 0 { return OperationCause(operation: number, kind: progress.pointee.kind) }
    if FluxTracers.taskCount.load(ordering: .relaxed) > 0, let task = FluxTracers.taskCause,
      task.tracing == ObjectIdentifier(self)
    {
      return task.cause
    }
    return nil
  }

  package func causing(_ cause: OperationCause?, _ body: () -> Void) {
    let here = ThreadIdentity.current
    let number = numberHere
    handledCount.add(1, ordering: .relaxed)
    let outer = state.withLock { $0.handled.updateValue((cause, number), forKey: here) }
    body()
    state.withLock { $0.handled[here] = outer }
    handledCount.subtract(1, ordering: .relaxed)
  }

  package func causing(_ cause: OperationCause, _ body: () async -> Void) async {
    FluxTracers.taskCount.add(1, ordering: .relaxed)
    await FluxTracers.$taskCause.withValue((cause, ObjectIdentifier(self)), operation: body)
    FluxTracers.taskCount.subtract(1, ordering: .relaxed)
  }

  package var numberHere: Int {
    thread.load(ordering: .relaxed) == ThreadIdentity.current ? progress.pointee.operation.number : 0
  }

  package func didWait(_ identity: OperationIdentity, _ submission: OperationSubmission, in flux: Flux) {
    for tracer in state.withLock({ $0.tracers }) { tracer.didWait(identity, submission, in: flux) }
  }

  // MARK: By the performer

  package func begin(
    _ identity: OperationIdentity,
    _ submission: OperationSubmission?,
    at time: UInt64?,
    isolation: ActorIdentity,
    content: () -> OperationContent?
  ) {
    let now = time ?? OperationSubmission.now
    if progress.pointee.version != version.load(ordering: .acquiring) { updateTracers() }
    progress.pointee.operation.number = lastNumber.add(1, ordering: .relaxed).newValue
    progress.pointee.operation.identity = identity
    if progress.pointee.wantsCommits { progress.pointee.operation.content = content() }
    progress.pointee.operation.submission = submission ?? OperationSubmission(time: now, cause: causeHere)
    progress.pointee.operation.begun = now
    progress.pointee.operation.isolation = isolation
    progress.pointee.kind = .operation
    progress.pointee.lastNotification = 0
    thread.store(ThreadIdentity.current, ordering: .releasing)
    if progress.pointee.wantsBeginnings { forEachTracer { $0.didBegin(progress.pointee.operation) } }
  }

  private func updateTracers() {
    let (new, version) = state.withLock { ($0.tracers, self.version.load(ordering: .relaxed)) }
    let old = progress.pointee.tracers
    progress.pointee.tracers = new
    progress.pointee.version = version
    progress.pointee.wantsCommits = new.contains { $0.wantsCommits }
    progress.pointee.wantsBeginnings = new.contains { $0.wantsBeginnings }
    withExtendedLifetime(old) {}
  }

  /// Calls `body` with each tracer. The list does not change in the meantime, since only the performer changes it.
  @inline(__always)
  private func forEachTracer(_ body: (any FluxTracer) -> Void) {
    for index in progress.pointee.tracers.indices { body(progress.pointee.tracers[index]) }
  }

  package func didCommit(_ cell: Cell) {
    let changes = cell.changes
    var further: [Int]?
    if changes.pointee.isBeyondFirstWord {
      var keys: [Int] = []
      changes.pointee.forEachKey { if $0 > 63 { keys.append($0) } }
      further = keys
    }
    if !changes.pointee.isEmpty {
      progress.pointee.operation.changes.append(
        TracedOperation.Change(
          subject: cell.subject,
          firstKeys: changes.pointee.firstWord,
          furtherKeys: further,
          isDerived: cell.isDerived
        )
      )
    }
    if !progress.pointee.wantsCommits { return }
    cell.withPublishedStates { old, new in
      let commit = TracedCommit(
        subject: cell.subject,
        old: old,
        new: new,
        changes: changes,
        isDerived: cell.isDerived
      )
      forEachTracer { $0.didCommit(commit, in: progress.pointee.operation) }
    }
  }

  package func willNotifyAll(of cell: Cell) {
    progress.pointee.lastNotification = OperationSubmission.now
    progress.pointee.change =
      progress.pointee.operation.changes.firstIndex { $0.subject === cell.subject } ?? 0
  }

  package func willNotify(listenerOf ownerType: Any.Type?) {
    progress.pointee.kind = ownerType.map { .reaction($0) } ?? .observer
  }

  package func didNotify(listenerOf ownerType: Any.Type?, key: Int, isLater: Bool) {
    let now = OperationSubmission.now
    progress.pointee.operation.notifications.append(
      TracedOperation.Notification(
        ownerType: ownerType,
        change: progress.pointee.change,
        key: key,
        duration: now &- progress.pointee.lastNotification,
        isLater: isLater
      )
    )
    progress.pointee.lastNotification = now
    progress.pointee.kind = .operation
  }

  package func end(_ result: OperationResult) {
    // Only a few instructions run after the last reaction, so its end counts as the end of the operation.
    let lastNotification = progress.pointee.lastNotification
    progress.pointee.operation.ended = lastNotification == 0 ? OperationSubmission.now : lastNotification
    progress.pointee.operation.outcome = result.traced
    forEachTracer { $0.didEnd(progress.pointee.operation) }
    thread.store(0, ordering: .releasing)
    // The lists of the traced operation are emptied at its end, since an idle flux must not retain the subject of a
    // substance.
    while progress.pointee.operation.changes.popLast() != nil {}
    while progress.pointee.operation.notifications.popLast() != nil {}
    progress.pointee.operation.outcome = .unchanged
    // The action or payload of the operation is released last, since its release may run a `deinit` of client code.
    let content = progress.pointee.operation.content.take()
    withExtendedLifetime(content) {}
  }

  // MARK: Not by the performer

  package func drop(_ dropped: FluxOperation, as outcome: FluxOutcome) {
    let now = OperationSubmission.now
    var operation = TracedOperation()
    operation.number = lastNumber.add(1, ordering: .relaxed).newValue
    operation.identity = dropped.identity
    operation.submission = dropped.submission ?? OperationSubmission(time: now, cause: nil)
    operation.begun = operation.submission.time
    operation.ended = now
    operation.outcome = outcome
    for tracer in state.withLock({ $0.tracers }) { tracer.didEnd(operation) }
  }
}

extension Flux {
  /// The tracers of this flux.
  package var tracers: FluxTracers {
    let held = tracingSlot.object { Held(FluxTracers(queue: queue)) }
    // The object that the flux holds here always has this class, so the cast is safe.
    return unsafeDowncast(held.value, to: FluxTracers.self)
  }
}
