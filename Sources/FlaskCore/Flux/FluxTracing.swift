internal import Dispatch
@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff
internal import Synchronization

/// Tells the tracers of a flux what happens, and knows by what an operation is caused.
///
/// While there is a tracer, no operation takes the fast path (`FluxQueue.isTraced`); while there is none, nobody asks
/// this for anything on the way of a mix.
///
/// `@unchecked Sendable`: `progress` is touched only by the thread that performs the flux's operation in progress, which
/// is the one that `thread` names; the rest is atomic or behind a lock. The pointer is made by `init` and freed by
/// `deinit`.
package final class FluxTracing: @unchecked Sendable {
  /// The operation in progress.
  private struct Progress: ~Copyable {
    var operation = TracedOperation()
    var tracers: [any FluxTracer] = []
    var isTracing = false
    /// What goes on in it: what is submitted now is caused by that.
    var way = OperationCause.Way.operation
  }

  private struct State {
    var tracers: [any FluxTracer] = []
    /// The operation that was begun last.
    var last: (number: Int, identity: OperationIdentity, submission: OperationSubmission)?
    /// What is being handled on other threads, by thread.
    var elsewhere: [UInt: OperationCause] = [:]
  }

  /// What the running task was started by, and the identity of the flux that it belongs to.
  @TaskLocal static var taskCause: (cause: OperationCause, flux: ObjectIdentifier)?

  private let queue: FluxQueue
  private let progress: UnsafeMutablePointer<Progress>
  /// The thread that performs a traced operation; 0 if none does.
  private let thread = Atomic<UInt>(0)
  private let lastNumber = Atomic<Int>(0)
  private let elsewhereCount = Atomic<Int>(0)
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

  /// Tells a tracer of each operation that begins from here on.
  package func add(_ tracer: any FluxTracer) {
    state.withLock { state in
      state.tracers.append(tracer)
      queue.setTraced(true)
    }
  }

  /// Tells a tracer nothing any more, but for the operation in progress.
  package func remove(_ tracer: any FluxTracer) {
    // Released after the lock.
    let old = state.withLock { state in
      let old = state.tracers
      state.tracers.removeAll { $0 === tracer }
      queue.setTraced(!state.tracers.isEmpty)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// The time on the clock of all records, in nanoseconds.
  package static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// How many operations have been counted.
  package var count: Int { lastNumber.load(ordering: .acquiring) }

  // MARK: What causes what

  /// What goes on here, in this flux: an operation that this thread performs, a delivery to its isolation, an effect.
  var causeHere: OperationCause? {
    let here = ThreadIdentity.current
    if thread.load(ordering: .relaxed) == here {
      return OperationCause(operation: progress.pointee.operation.number, way: progress.pointee.way)
    }
    if elsewhereCount.load(ordering: .relaxed) > 0, let cause = state.withLock({ $0.elsewhere[here] }) {
      return cause
    }
    if let task = FluxTracing.taskCause, task.flux == ObjectIdentifier(self) { return task.cause }
    return nil
  }

  /// Performs `body`; what it submits is caused by `cause`.
  func causing(_ cause: OperationCause?, _ body: () -> Void) {
    guard let cause else { return body() }
    let here = ThreadIdentity.current
    elsewhereCount.add(1, ordering: .relaxed)
    let outer = state.withLock { $0.elsewhere.updateValue(cause, forKey: here) }
    body()
    state.withLock { $0.elsewhere[here] = outer }
    elsewhereCount.subtract(1, ordering: .relaxed)
  }

  /// The number of the operation that this thread performs; 0 if it performs none that is traced.
  var numberHere: Int {
    thread.load(ordering: .relaxed) == ThreadIdentity.current ? progress.pointee.operation.number : 0
  }

  /// What is submitted here and now.
  func submission(
    to flux: Flux,
    cause: OperationCause? = nil,
    lock: FluxLock? = nil
  ) -> OperationSubmission {
    let cause = cause ?? causeHere ?? (lock ?? PendingOutcome.lockOfThisTask(of: flux)).map(Self.cause)
    return OperationSubmission(time: FluxTracing.now, cause: cause)
  }

  private static func cause(of lock: FluxLock) -> OperationCause {
    OperationCause(operation: 0, way: .lock(SourcePlace(lock.location)))
  }

  func didWait(_ identity: OperationIdentity, _ submission: OperationSubmission, in flux: Flux) {
    for tracer in state.withLock({ $0.tracers }) { tracer.didWait(identity, submission, in: flux) }
  }

  // MARK: By the performer

  /// Whether the operation in progress is traced.
  @inline(__always)
  var isTracing: Bool { progress.pointee.isTracing }

  func begin(_ identity: OperationIdentity, _ submission: OperationSubmission?, isolation: ActorIdentity) {
    let now = FluxTracing.now
    let number = lastNumber.add(1, ordering: .relaxed).newValue
    let submission = submission ?? OperationSubmission(time: now, cause: nil)
    progress.pointee.tracers = state.withLock { state in
      state.last = (number, identity, submission)
      return state.tracers
    }
    progress.pointee.operation.number = number
    progress.pointee.operation.identity = identity
    progress.pointee.operation.submission = submission
    progress.pointee.operation.begun = now
    progress.pointee.operation.isolation = isolation == .none ? .none : isolation == .main ? .main : .actor
    progress.pointee.way = .operation
    progress.pointee.isTracing = true
    thread.store(ThreadIdentity.current, ordering: .relaxed)
  }

  func didCommit(_ participant: Participant) {
    let changes = participant.changes
    var further: [Int] = []
    if changes.pointee.isBeyondFirstWord { changes.pointee.forEachKey { if $0 > 63 { further.append($0) } } }
    if !changes.pointee.isEmpty {
      progress.pointee.operation.changes.append(
        TracedOperation.Change(
          subject: participant.subject,
          firstKeys: changes.pointee.firstWord,
          furtherKeys: further,
          isDerived: participant.isDerived
        )
      )
    }
    participant.withCommitBeingTold { old, new in
      let commit = TracedCommit(
        subject: participant.subject,
        old: old,
        new: new,
        changes: changes,
        isDerived: participant.isDerived
      )
      for tracer in progress.pointee.tracers { tracer.didCommit(commit, in: progress.pointee.operation) }
    }
  }

  /// Tells those who listen to a substance, one after the other, and notes whom.
  func notify(_ participant: Participant, epoch: Int, lock: FluxLock?, isolation: ActorIdentity) {
    if participant.listeners.isEmpty { return participant.recordUntold() }
    let change =
      progress.pointee.operation.changes.firstIndex { $0.subject === participant.subject } ?? 0
    participant.withCommit(companion: lock, isolation: isolation) { commit in
      participant.listeners.forEachToBeTold(of: commit, epoch: epoch) { listener, key in
        guard listener.isToBeTold else { return listener.receive(commit, from: isolation) }
        progress.pointee.way = listener.ownerType.map { .reaction($0) } ?? .observer
        let isLater = !listener.isolation.isCurrent(hint: isolation)
        let start = FluxTracing.now
        listener.receive(commit, from: isolation)
        progress.pointee.operation.tellings.append(
          TracedOperation.Telling(
            ownerType: listener.ownerType,
            change: change,
            key: key ?? -1,
            duration: FluxTracing.now &- start,
            isLater: isLater
          )
        )
      }
    }
    progress.pointee.way = .operation
  }

  func end(_ result: borrowing OperationResult) {
    progress.pointee.operation.ended = FluxTracing.now
    progress.pointee.operation.outcome = TracedOperation.Outcome(copy result)
    for tracer in progress.pointee.tracers { tracer.didEnd(progress.pointee.operation) }
    progress.pointee.isTracing = false
    thread.store(0, ordering: .relaxed)
    // Emptied now: a subject must not be held by a flux that does nothing any more.
    progress.pointee.operation.changes.removeAll(keepingCapacity: true)
    progress.pointee.operation.tellings.removeAll(keepingCapacity: true)
    progress.pointee.operation.outcome = .unchanged
    progress.pointee.tracers = []
  }

  // MARK: Not by the performer

  /// An operation was dropped while it waited.
  func drop(_ dropped: WaitingOperation) {
    let now = FluxTracing.now
    var operation = TracedOperation()
    operation.number = lastNumber.add(1, ordering: .relaxed).newValue
    operation.identity = dropped.operation.identity
    operation.submission = dropped.submission?.submission ?? OperationSubmission(time: now, cause: nil)
    operation.begun = operation.submission.time
    operation.ended = now
    operation.outcome = .purged
    for tracer in state.withLock({ $0.tracers }) { tracer.didEnd(operation) }
  }

  /// The operation in progress; `nil` if there is none. From any thread.
  package var inProgress: (number: Int, identity: OperationIdentity, submission: OperationSubmission)? {
    thread.load(ordering: .acquiring) == 0 ? nil : state.withLock { $0.last }
  }
}
