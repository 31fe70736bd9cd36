internal import FlaskPrimitives
internal import Synchronization

/// The work that continues after an operation: effects, and the actions that they dispatch.
package protocol FollowUp: AnyObject, Sendable {
  /// The operation was performed, or dropped.
  func operationDidEnd()
  /// Returns when all of the work has ended.
  func finished() async
}

/// The mark (`OperationDrafts.mark`) of an operation that writes states from outside, such as the states of a recording
/// or of a group that another process writes. A history does not undo such an operation.
package final class OutsideMark: Sendable {
  /// Whether the operation shows a past state, or the present state again after past ones. No other operation comes in
  /// between, so that the two together change nothing.
  package let isTravel: Bool

  /// The number of the last operation before an archive was opened; `nil` unless the operation installs a state from a
  /// `DeferredArchive`. Undo steps and pending changes of later operations have been rebased on that state: see
  /// `StateKeeper.rebase`.
  package let began: Int?

  package init(isTravel: Bool = false, began: Int? = nil) {
    self.isTravel = isTravel
    self.began = began
  }
}

/// An operation that its caller does not perform itself: identity, body, and result.
///
/// 1. The operation is submitted to its flux, which performs it at once or when its turn comes.
/// 2. The performer runs its body, which enlists substances and changes their drafts (`OperationDrafts.enlist`,
///    `openDraft`), and decides whether they are committed. An error that it throws discards them.
/// 3. The performer commits or discards, and runs the completion.
/// 4. The body is released, and the result is known.
///
/// A mix, a chain or an action that need not wait is performed by its caller between `Flux.begin` and `Flux.end`. No
/// object is made for it, unless it fails or has consequences, or is an action while another flux is the current one.
///
/// `@unchecked Sendable`:
/// - Isolation: `work`, `lock`, `submission`, `isAtOnce` and `causeCount` are set before the queue has the operation,
///   and belong to the thread that takes it out; `queueing` is atomic; `waiting` is guarded by the lock `leafLock` of
///   the flux.
/// - Invariant: `result` is written once, before `phase` announces it, and is read only after that.
/// - If violated: a data race.
package final class FluxOperation: @unchecked Sendable {
  /// The result of the body: the drafts are committed, or discarded.
  package enum Ending {
    case commit
    /// The drafts are committed with the changes that the body has computed.
    case commitCompared
    case abort
    /// The part of the scope that the operation was to change no longer exists.
    case gone
    /// The effect that has submitted the operation was cancelled.
    case cancelled
  }

  /// Contains the closures of the operation. Without the struct, generic code would wrap each closure in another
  /// closure: see `FunctionCasts`.
  private struct Work {
    let body: (OperationDrafts) throws -> Ending
    let completion: ((OperationResult) -> Void)?
  }

  /// Whether the operation is in the queue of its flux.
  enum Queueing: UInt8, AtomicRepresentable {
    /// It was not submitted yet, such as an action that waits for the main thread.
    case outside
    case queued
    /// It ended while it was queued. The queue removes it later.
    case withdrawn
    /// It has left the queue: it is being performed, will be performed even if locks are held, or has ended.
    case left
  }

  private enum Phase {
    static var unknown: UInt8 { 0 }
    /// The result is unknown, and a task waits for it.
    static var awaited: UInt8 { 1 }
    static var known: UInt8 { 2 }
  }

  /// The identity that tracers see.
  package let identity: OperationIdentity
  /// The action, or the mixer with its payload; `nil` for a closure.
  let content: OperationContent?
  /// Whether a client has submitted the operation: see `OperationIdentity.Origin`.
  package var isOfClient: Bool { identity.origin == .client }
  /// Whether its loss at the end of the process is a fault.
  var isLossReported: Bool { identity.origin != .flask }
  /// The lock that came with the operation; `nil` if it came without a lock.
  var lock: FluxLock?
  /// The time and the cause of the submission; `nil` if the flux was not traced then.
  package var submission: OperationSubmission?
  /// Whether the operation was performed at once, when it was submitted.
  var isAtOnce = false
  /// The number of operations that have led to this one: see `Flux.causeCount`.
  var causeCount = 0
  /// Whether it is queued. Set under the queue's lock, or by a thread that alone has the operation.
  private let currentQueueing = Atomic<Queueing>(.outside)
  /// The mark from the `Flux.marking` call in which the operation was made; otherwise `nil`.
  private let mark: (any AnyObject & Sendable)?
  /// The run of the work that has submitted the operation; `nil` if no such work has, or if Flask itself has.
  private let run: WorkRun?
  /// The work that continues after the operation; `nil` if no work does.
  package let followUp: (any FollowUp)?

  private let flux: Flux
  private var work: Work?
  private let phase = Atomic<UInt8>(Phase.unknown)
  private var result = OperationResult.unchanged
  private let isRead = Atomic<Bool>(false)
  private var waiting = WaitingTasks()

  /// - Parameters:
  ///   - completion: called after the commit and its reactions, or after the drafts were discarded.
  ///   - body: performs the operation. The closure and the substances that it captures are retained until the operation
  ///     has ended.
  package init(
    _ identity: OperationIdentity,
    content: OperationContent? = nil,
    in flux: Flux,
    followUp: (any FollowUp)? = nil,
    completion: (@Sendable (OperationResult) -> Void)? = nil,
    _ body: @escaping @Sendable (OperationDrafts) throws -> Ending
  ) {
    self.identity = identity
    self.content = content
    self.flux = flux
    self.followUp = followUp
    let isMarked = Flux.areMarked.load(ordering: .relaxed)
    mark = isMarked ? flux.presentMark : nil
    // An operation of a time travel belongs to no run. If it did, the end of the run would drop the operation that
    // shows the present states again.
    run = identity.origin == .client && identity.kind != .travel ? WorkRun.here : nil
    work = Work(body: body, completion: completion)
  }

  /// An operation that its caller has already performed.
  init(ended result: OperationResult, at place: SourcePlace, in flux: Flux, followUp: (any FollowUp)?) {
    identity = OperationIdentity(.mix, at: place)
    content = nil
    self.flux = flux
    self.followUp = followUp
    mark = nil
    run = nil
    self.result = result
    phase.store(Phase.known, ordering: .releasing)
  }

  /// Runs the body of the operation, and commits or discards the drafts. Called on the thread that performs the
  /// operation.
  func perform(in drafts: OperationDrafts, isolation: ActorIdentity) -> OperationResult {
    guard let work else { return .ended(.purged) }
    if let mark { drafts.mark = mark }
    let result = drafts.perform(work.body, lock: lock, isolation: isolation)
    work.completion?(result)
    return result
  }

  // MARK: In the queue, under its lock

  var queueing: Queueing { currentQueueing.load(ordering: .acquiring) }

  func enterQueue() {
    currentQueueing.store(.queued, ordering: .releasing)
    run?.didQueue(in: flux)
  }

  /// Drops the operation, and all others that its work has queued, if the work has ended meanwhile.
  func dropIfEnded() { if isOfEndedWork { run?.cleanUp() } }

  /// The operation is queued together with its lock.
  func willEnterQueue() { run?.didQueue(in: flux) }

  /// Whether the work that has submitted the operation has ended, so that the operation must not be performed.
  var isOfEndedWork: Bool { run?.isEnded ?? false }

  /// The operation is performed now, or before all operations that a lock suspends.
  func willBePerformed() { currentQueueing.store(.left, ordering: .releasing) }

  /// The operation has been removed from the queue.
  ///
  /// - Returns: `false` if it was withdrawn, so that it must not be performed.
  func leaveQueue() -> Bool {
    currentQueueing.exchange(.left, ordering: .acquiringAndReleasing) != .withdrawn
  }

  /// Withdraws the operation if it is queued.
  func withdraw() -> Bool {
    currentQueueing.compareExchange(
      expected: .queued,
      desired: .withdrawn,
      ordering: .acquiringAndReleasing
    ).exchanged
  }

  // MARK: How it ended

  /// Releases the references of the operation, and publishes the result. Call once.
  func fill(_ result: consuming OperationResult) {
    work = nil
    self.result = result
    if phase.exchange(Phase.known, ordering: .acquiringAndReleasing) == Phase.awaited { resume() }
    followUp?.operationDidEnd()
  }

  /// Ends the operation without performing it: it was refused, or was removed from the queue.
  func drop(as outcome: FluxOutcome = .purged) {
    flux.tracing?.drop(self, as: outcome)
    fill(.ended(outcome))
    lock?.release()
  }

  private func resume() {
    for continuation in flux.leafLock.withLock({ _ in waiting.takeAll() }) { continuation.resume() }
  }

  deinit {
    // Reads the result by `resultIfKnown`, which loads `phase` first. In a `deinit` the release of the other references
    // orders the read too, but ThreadSanitizer does not see that order.
    if !isRead.load(ordering: .relaxed), let result = resultIfKnown {
      flux.reportUnread(result, at: identity.place)
    }
  }

  /// Suppresses the fault for an unread error of the operation.
  func ignoreError() { isRead.store(true, ordering: .relaxed) }

  var resultIfKnown: OperationResult? {
    guard phase.load(ordering: .acquiring) == Phase.known else { return nil }
    isRead.store(true, ordering: .relaxed)
    return result
  }

  var outcomeIfKnown: FluxOutcome? { resultIfKnown?.outcome }

  /// Waits for the outcome, and returns it. Returns `waiting` if the task holds the lock that the operation waits for.
  /// If `isCancellable`, also returns `waiting` if the task is cancelled before the outcome is known.
  func outcome(isCancellable: Bool) async -> FluxOutcome {
    if let outcomeIfKnown { return outcomeIfKnown }
    // An operation that has left the queue ends whatever locks are held.
    if queueing != .left && FluxOperation.isAwaitedUnderLock("an outcome", in: flux) { return .waiting }
    await ended(isCancellable: isCancellable)
    // Reads the result by `outcomeIfKnown`, which loads `phase` first. The continuation that this task waited for
    // orders the read too, but ThreadSanitizer does not see that order.
    return outcomeIfKnown ?? .waiting
  }

  /// Returns once the operation has ended.
  func ended(isCancellable: Bool = false) async {
    await WaitingTasks.wait(isCancellable: isCancellable) { [self] body in
      flux.leafLock.withLock { _ in
        let (_, before) = phase.compareExchange(
          expected: Phase.unknown,
          desired: Phase.awaited,
          ordering: .acquiringAndReleasing
        )
        if before != Phase.known { body(&waiting) }
      }
    }
  }

  /// Whether the running task waits for an operation behind a lock that it holds itself. If so, a fault is reported.
  package static func isAwaitedUnderLock(_ what: String, in flux: Flux) -> Bool {
    guard let lock = lockOfThisTask(of: flux, isHeldHere: true) else { return false }
    flux.report(
      .awaitedUnderLock,
      "\(what) is awaited inside `withLock`, which would never end: the operation waits for this very lock; "
        + "await it after `withLock`",
      at: lock.location
    )
    return true
  }

  /// Returns a lock of the flux that the running task holds. If `isHeldHere` is `false`, a lock counts, too, that was
  /// held where the task was started.
  package static func lockOfThisTask(of flux: Flux, isHeldHere: Bool = false) -> FluxLock? {
    FluxLock.heldByTask.last {
      $0.lock.flux === flux && $0.lock.isHeld && ($0.isHeldHere || !isHeldHere)
    }?.lock
  }
}
