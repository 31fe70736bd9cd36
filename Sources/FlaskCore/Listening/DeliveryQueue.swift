internal import FlaskPrimitives
internal import Synchronization

/// The mailbox of a reactor or an observer: the pending commits, in order. The listener is looked up at delivery.
///
/// At most one thread delivers at a time, on the isolation of the present listener. So a handler with an isolation is
/// never reentered while it runs, and commits are delivered in order. An uncontended delivery takes no lock: one atomic
/// instruction sets `phase` to `direct`, and another sets it back to `idle` (fast path).
///
/// ```text
/// thread of the listener           another performer           phase
/// beginDirectly: the handler runs                              idle → direct
///                                  append a commit             direct → managed
/// endDirectly fails: the handler gets the commit, too          managed → idle
/// ```
///
/// `@unchecked Sendable`:
/// - Isolation: `lock` guards `state`, which decides (`DeliveryState`), and `replicas`. The delivering thread may read
///   the array `replicas` without it, and no other thread uses the states in it.
/// - If violated: a data race.
package final class DeliveryQueue: @unchecked Sendable {
  private enum Phase {
    /// No commit is pending, no thread delivers.
    static var idle: UInt8 { 0 }
    /// A delivery that takes no lock is in progress. The variable `state` does not include it.
    static var direct: UInt8 { 1 }
    /// `state` knows everything.
    static var managed: UInt8 { 2 }
  }

  /// When this many commits are pending, a backlog is reported once: the listener does not keep up.
  static let budget = 10_000

  /// The pending commit that the running thread delivers, and retains meanwhile; `nil` if it delivers none.
  static var delivered: UnretainedReference<WaitingCommit>? { slot.object }
  private static let slot = ThreadSlot<WaitingCommit>()

  /// The lock of `state`. No other lock is taken while it is held. A reactor's queue uses a lock of its flux.
  private let lock: Lock<Void>
  private let phase = Atomic<UInt8>(Phase.idle)
  private var state = DeliveryState<WaitingCommit>()
  private var replicas: [LaggingState] = []

  /// - Parameter lock: the lock of the flux; by default a new lock.
  init(lock: Lock<Void> = Lock(())) { self.lock = lock }

  // MARK: The listener

  var current: Listener? { lock.withLock { _ in state.listener } }

  typealias Dropped = (Listener?, [WaitingCommit], [LaggingState])

  /// Sets the listener. Call `schedule` to deliver the pending commits to it. If `listener` is `nil`, they are dropped.
  ///
  /// - Returns: objects that the caller must release while it holds no lock: the release may run a `deinit` of a
  ///   client.
  @discardableResult
  func setCurrent(_ listener: Listener?) -> Dropped {
    lock.withLock { _ in
      let (former, dropped) = state.setListener(listener)
      return (former, dropped, state.isEmpty ? takeReplicasIfIdle() : [])
    }
  }

  /// Removes and returns the queue's copies of states, which are needed only while commits are pending. During a
  /// delivery the result is empty, since the delivery releases the copies at its end. Called under the lock if none is
  /// pending.
  private func takeReplicasIfIdle() -> [LaggingState] {
    if state.isDelivering { return [] }
    var replicas: [LaggingState] = []
    swap(&replicas, &self.replicas)
    return replicas
  }

  // MARK: The fast path, on the isolation of the listener; or, for its first state, on the way there

  /// Begins a direct delivery, if no commit is pending and no other delivery is in progress. The caller delivers, and
  /// then calls `endDirectly(callerIsolation:)`.
  ///
  /// - Returns: whether the delivery began.
  @inline(__always)
  func beginDirectly() -> Bool {
    phase.compareExchange(
      expected: Phase.idle,
      desired: Phase.direct,
      successOrdering: .acquiring,
      failureOrdering: .relaxed
    ).exchanged
  }

  /// Ends a direct delivery, and delivers the commits that were queued in the meantime.
  @inline(__always)
  func endDirectly(callerIsolation: ActorIdentity) {
    let isAlone = phase.compareExchange(
      expected: Phase.direct,
      desired: Phase.idle,
      successOrdering: .releasing,
      failureOrdering: .relaxed
    ).exchanged
    if !isAlone { deliverWaiting { $0.isCurrent(callerIsolation: callerIsolation) } }
  }

  // MARK: Waiting

  /// `true` if no commit is pending and no thread delivers.
  @inline(__always)
  var isIdle: Bool { phase.load(ordering: .acquiring) == Phase.idle }

  /// Queues a commit that has just been published. Called by the performing thread. The commit is dropped if
  /// `listener`, or the listener that replaced it, was removed in the meantime.
  func append(_ commit: Commit, for listener: Listener) {
    let waiting = commit.cell.waitingCommit()
    var appending = tryAppend(waiting, for: listener)
    if appending == .needsBase {
      waiting.makeBase(from: commit)
      appending = tryAppend(waiting, for: listener)
    }
    if appending == .backlog { reportBacklog(of: commit) }
  }

  private enum Appending {
    case queued
    /// Queued; a backlog must be reported.
    case backlog
    /// Not queued: the commit must first get a base, a copy of the state before it. The queue has no state from which
    /// its states can be computed.
    case needsBase
    /// Not queued: pending commits of the listener were dropped.
    case dropped
  }

  private func tryAppend(_ commit: WaitingCommit, for listener: Listener) -> Appending {
    lock.withLock { _ in
      if !state.accepts(listener) { return .dropped }
      if !commit.hasBase, !replicas.contains(where: { $0.cell === commit.cell }),
        !state.contains(where: { $0.cell === commit.cell })
      {
        return .needsBase
      }
      let isDirect = phase.exchange(Phase.managed, ordering: .acquiringAndReleasing) == Phase.direct
      let isBacklog = state.append(commit, isDirect: isDirect, budget: DeliveryQueue.budget)
      return isBacklog ? .backlog : .queued
    }
  }

  private func reportBacklog(of commit: Commit) {
    let who = current?.ownerType.map { "the reactor of \($0)" } ?? "an observer"
    commit.cell.report(
      .backlog,
      "\(who) does not keep up: \(DeliveryQueue.budget) reactions wait for its isolation; "
        + "do less in its handler, or mix less often"
    )
  }

  /// Schedules the delivery of pending commits, at no lower priority than the running task's.
  ///
  /// On the main actor it is also scheduled during a delivery, which may leave the commit to another task. That task
  /// then comes before code that awaits the operation in progress: see `HandlerIsolation.enqueue`.
  func schedule(_ isolation: HandlerIsolation) {
    let priority = Task.currentPriority
    let isNeeded = lock.withLock { _ in state.schedule(priority, evenDuringDelivery: isolation.isMain) }
    guard isNeeded else { return }
    if isolation.isNone {
      Task(priority: priority) { self.deliver(on: nil) }
    } else if let actor = isolation.actor {
      isolation.enqueue(priority: priority) { await self.deliver(on: actor) }
    } else {
      lock.withLock { _ in state.taskBegan() }
      // The handler's actor was deallocated. Another isolation of a new handler gets the pending commits, if there is
      // one.
      let present = current
      if let present, !present.isolation.isGone { schedule(present.isolation) } else { drop(of: present) }
    }
  }

  private func deliver(on actor: isolated (any Actor)?) {
    lock.withLock { _ in state.taskBegan() }
    deliverHere(callerIsolation: ActorIdentity(actor))
  }

  // MARK: Delivering

  /// Delivers the pending commits on the isolation of the listener, unless a delivery is in progress.
  func deliverHere(callerIsolation: ActorIdentity) {
    let isMine = lock.withLock { _ in state.begin() }
    if isMine { deliverWaiting { $0.isCurrent(callerIsolation: callerIsolation) } }
  }

  /// Delivers the pending commits. Another task delivers the rest if the listener has moved to another isolation, or
  /// after a long series (`yields`). For a listener with an isolation it also delivers those that others commit
  /// meanwhile: if each handler took as long as a writer's pause, the isolation would have no time for anything else.
  private func deliverWaiting(isHere: (HandlerIsolation) -> Bool) {
    var count = 0
    let batch = lock.withLock { _ in state.count }
    while var next = takeNext() {
      if count > 0, let present = next.listener, let commit = next.commit,
        DeliveryQueue.yields(to: commit, on: present.isolation, after: count, of: batch)
      {
        return moveOn(to: present, with: commit, since: next.dropCount)
      }
      count += 1
      var present = next.listener
      // Repeated until the found listener is the present one, since the reactor's handler may be replaced at any time.
      while let other = present, other.isReplaced { present = current(since: next.dropCount) }
      guard let cell = next.commit?.cell else { continue }
      if let present, !present.isRemoved, !isHere(present.isolation), let commit = next.commit {
        return moveOn(to: present, with: commit, since: next.dropCount)
      }
      // The commit is released in this closure, since that frees old values, and so may run a `deinit` of client code.
      let operation = next.commit?.operation ?? 0
      cell.performInContext(of: operation, notifyingReactorOf: present?.ownerType) {
        // A listener that is replaced just now is called: it was the current one when the commit was taken.
        if let present, !present.isRemoved, let commit = next.commit {
          let outer = DeliveryQueue.slot.object
          DeliveryQueue.slot.object = UnretainedReference(commit)
          defer { DeliveryQueue.slot.object = outer }
          replica(at: commit)?.withCommit { present.handleWaiting($0) }
        }
        next.commit = nil
      }
    }
  }

  /// Removes and returns the next commit and its listener. If no commit is pending, ends the delivery and returns
  /// `nil`.
  private func takeNext() -> (commit: WaitingCommit?, listener: Listener?, dropCount: Int)? {
    var done: [LaggingState] = []
    let next = lock.withLock { _ -> (WaitingCommit?, Listener?, Int)? in
      if let next = state.next() { return (next.commit, next.listener, next.dropCount) }
      swap(&done, &replicas)
      phase.store(Phase.idle, ordering: .releasing)
      return nil
    }
    while let cell = done.last?.cell { cell.performInContext { _ = done.popLast() } }
    return next
  }

  /// Returns the current listener; `nil` if pending commits were dropped after the drop count was `dropCount`.
  func current(since dropCount: Int) -> Listener? {
    lock.withLock { _ in state.listener(since: dropCount) }
  }

  /// Continues the delivery in another task, beginning with `commit`. The task runs on the listener's new isolation if
  /// the listener has moved, else later on the same isolation.
  private func moveOn(to listener: Listener, with commit: WaitingCommit, since dropCount: Int) {
    lock.withLockReleasing { _ in
      state.putBack(commit, since: dropCount)
      return state.isEmpty ? takeReplicasIfIdle() : []
    }
    schedule(current?.isolation ?? listener.isolation)
  }

  private func replica(at commit: WaitingCommit) -> LaggingState? {
    if let replica = replicas.first(where: { $0.cell === commit.cell }) {
      replica.advance(to: commit)
      return replica
    }
    guard let replica = LaggingState(at: commit) else { return nil }
    lock.withLock { _ in replicas.append(replica) }
    return replica
  }

  /// The isolation of a listener was deallocated.
  private func drop(of listener: Listener?) {
    let dropped = lock.withLock { _ in state.drop(of: listener).map { ($0, takeReplicasIfIdle()) } }
    if dropped != nil {
      listener?.isolationDidGo()
    } else if let present = current {
      // Another listener was set meanwhile.
      schedule(present.isolation)
    }
  }

  // MARK: Leaving the rest to another task

  /// After a chain of so many commits, each caused by the one before, another task delivers the rest. Without an
  /// isolation all commits of a delivery count, so that concurrent mixes do not occupy the thread for ever.
  private static let chain = 512

  /// Whether a commit, with those after it, is left to another task.
  ///
  /// - Parameters:
  ///   - isolation: the isolation of the listener.
  ///   - count: the number of commits that this delivery has delivered.
  ///   - batch: the number of commits that were pending when it began.
  static func yields(
    to commit: WaitingCommit,
    on isolation: HandlerIsolation,
    after count: Int,
    of batch: Int
  ) -> Bool {
    if commit.causeCount > 0 && commit.causeCount.isMultiple(of: chain) { return true }
    if isolation.isNone { return count >= chain }
    return count >= batch && (commit.causeCount == 0 || count >= batch + chain)
  }
}
