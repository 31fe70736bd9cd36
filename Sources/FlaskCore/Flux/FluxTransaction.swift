@_spi(FlaskInternals) internal import FlaskArchive
internal import FlaskDiff
internal import Synchronization

/// The drafts of the operation in progress: commits all of them or none, and has the reactions delivered.
///
/// `@unchecked Sendable`: touched only by the thread that performs the flux's operation in progress, and the flux's
/// queue hands it from one thread to the next.
final class FluxTransaction: @unchecked Sendable {
  /// The substances that the operation in progress has named, in that order: each knows the next one. The operation
  /// holds them, or whoever submitted it.
  private var first: Borrowed<StateCell>?
  private var last: Borrowed<StateCell>?
  private let queue: FluxQueue
  let snapshots: Lock<Void>
  private let tracing: FluxTracing
  /// Whose operation it is, for those who asked to be told: set by `MarkedWork`.
  var mark: (any AnyObject & Sendable)?
  /// What follows from the operation in progress is computed at this moment.
  let drafts: Moment
  /// What takes part because it follows from others, held until the operation has been settled: whoever is told may
  /// let go of it. Owned. Behind a pointer, since each access to a stored variable of a class costs a dynamic check.
  let followers: UnsafeMutablePointer<CommitFollowers>
  /// Whether the operation in progress is traced. Lives as long as `tracing`, which need not be counted for a look.
  private let isTracing: UnsafeMutablePointer<Bool>

  init(queue: FluxQueue, snapshots: Lock<Void>, tracing: FluxTracing) {
    self.queue = queue
    self.snapshots = snapshots
    self.tracing = tracing
    isTracing = tracing.isTracing
    drafts = Moment(draftsOf: snapshots)
    followers = .allocate(capacity: 1)
    followers.initialize(to: CommitFollowers())
  }

  deinit {
    followers.deinitialize(count: 1)
    followers.deallocate()
  }

  // MARK: The closures

  /// One closure over one substance: most operations (fast path).
  @inline(__always)
  func perform(_ step: some SingleStep, isolation: ActorIdentity) -> OperationResult {
    // The step, or whoever made it, holds the substance, and that its participant.
    step.borrowedParticipant.use { participant in
      participant.open()
      do {
        try step.run(participant)
      } catch {
        participant.discard()
        return .failed(error)
      }
      return commit(participant, lock: nil, isolation: isolation)
    }
  }

  /// The end of an operation over one substance whose draft its caller has changed (fast path).
  func commitAlone(_ participant: Participant, isolation: ActorIdentity) {
    _ = commit(participant, lock: nil, isolation: isolation)
  }

  /// One closure over one substance, on the way that all other operations take: while somebody traces.
  func performEnlisted(_ step: some SingleStep, isolation: ActorIdentity) -> OperationResult {
    do {
      try run(step)
    } catch {
      discard()
      return .failed(error)
    }
    return commit(lock: nil, isolation: isolation)
  }

  /// Two closures, over one substance or two (fast path).
  @inline(__always)
  func perform(
    _ first: borrowing MixStep,
    _ second: borrowing MixStep,
    lock: FluxLock?,
    isolation: ActorIdentity
  ) -> OperationResult {
    do {
      try run(first)
      try run(second)
    } catch {
      discard()
      return .failed(error)
    }
    return commit(lock: lock, isolation: isolation)
  }

  /// Any other operation that nobody made wait.
  @inline(__always)
  func perform(_ work: some FluxWork, isolation: ActorIdentity) -> OperationResult {
    withExtendedLifetime(work) { work.perform(in: self, lock: nil, isolation: isolation) }
  }

  /// Runs a closure on the draft of a substance, which takes part from here on.
  @inline(__always)
  func run(_ step: some SingleStep) throws {
    try step.borrowedParticipant.use { participant in
      enlist(participant)
      try step.run(participant)
    }
  }

  /// Opens the draft of a substance, which takes part from here on.
  func enlist(_ participant: Participant) {
    if participant.isOpen { return }
    participant.open()
    append(participant)
  }

  /// Has a substance take part whose draft is as it should be.
  func append(_ participant: Participant) {
    let cell = Borrowed<StateCell>(participant)
    participant.next = nil
    if let last { last.use { $0.next = cell } } else { first = cell }
    last = cell
  }

  func forEachEnlisted(_ body: (Participant) -> Void) {
    var next = first
    while let cell = next {
      cell.use {
        next = $0.next
        // Only participants are ever enlisted.
        body(unsafeDowncast($0, to: Participant.self))
      }
    }
  }

  private func removeAll() {
    first = nil
    last = nil
  }

  /// Throws the drafts away.
  func discard() {
    forEachEnlisted { $0.discard() }
    removeAll()
  }

  // MARK: The commit

  /// Makes all drafts the states, together, and has the reactions delivered.
  func commit(lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    defer { removeAll() }
    guard let first else { return .unchanged }
    return first.use { first in
      first.next == nil && !isTracing.pointee
        ? commit(unsafeDowncast(first, to: Participant.self), lock: lock, isolation: isolation)
        : commitSeveral(lock: lock, isolation: isolation)
    }
  }

  @inline(__always)
  private func commit(
    _ participant: Participant,
    lock: FluxLock?,
    isolation: ActorIdentity
  ) -> OperationResult {
    participant.reduce()
    guard participant.changes.pointee.hasDirty else { return .unchanged }
    if participant.isNoticed && participant.hasNotice(Participant.Notice.derived) {
      return commitWithDerived(participant, lock: lock, isolation: isolation)
    }
    participant.publish()
    if participant.isNoticed {
      // Since it was asked the last time.
      if participant.hasNotice(Participant.Notice.derived) {
        return tellWithDerived(participant, lock: lock, isolation: isolation)
      }
      participant.didPublish()
    }
    guard !participant.changes.pointee.isEmpty else {
      participant.recordUntold()
      participant.settle()
      return .unchanged
    }
    let result = OperationResult.committed(participant)
    participant.notify(epoch: beginEpoch(), lock: lock, isolation: isolation)
    participant.settle()
    return result
  }

  /// All is committed, and is told now. Comes after the commit: who listens from this epoch on finds the new state.
  @inline(__always)
  private func beginEpoch() -> Int {
    let number = queue.epoch.load(ordering: .relaxed) + 1
    queue.epoch.store(number, ordering: .releasing)
    return number
  }

  /// One substance has changed, and what is derived from it changes with it.
  @inline(never)
  private func commitWithDerived(
    _ participant: Participant,
    lock: FluxLock?,
    isolation: ActorIdentity
  ) -> OperationResult {
    if first == nil { append(participant) }
    defer { removeAll() }
    enlistFollowers()
    return publishSeveral(lock: lock, isolation: isolation)
  }

  /// The same if that is found out after the change has been published.
  @inline(never)
  private func tellWithDerived(
    _ participant: Participant,
    lock: FluxLock?,
    isolation: ActorIdentity
  ) -> OperationResult {
    if first == nil { append(participant) }
    defer { removeAll() }
    return tellSeveral(lock: lock, isolation: isolation)
  }

  private func commitSeveral(lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    var areNoticed = false
    forEachEnlisted {
      $0.reduce()
      if $0.isNoticed { areNoticed = true }
    }
    if areNoticed { enlistFollowers() }
    return publishSeveral(lock: lock, isolation: isolation)
  }

  /// Makes drafts the states that have been reduced already.
  func commitReduced(lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    defer { removeAll() }
    enlistFollowers()
    return publishSeveral(lock: lock, isolation: isolation)
  }

  /// What follows but belongs to another flux looks for changes there, once this operation has been published.
  private func publishSeveral(lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    func publish() { forEachEnlisted { if $0.changes.pointee.hasDirty { $0.publish() } } }
    // All at once for readers, who hold this lock. One alone needs none.
    if first?.use({ $0.next == nil }) == true { publish() } else { snapshots.withLock { _ in publish() } }
    for follower in followers.pointee.concerned {
      follower.use { if !isOfThisFlux($0) { $0.refreshLater() } }
    }
    return tellSeveral(lock: lock, isolation: isolation)
  }

  private func tellSeveral(lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    defer { followers.pointee.removeAll() }
    var result = OperationResult.unchanged
    var isFollowed = false
    forEachEnlisted {
      if $0.isNoticed && $0.changes.pointee.hasDirty {
        if $0.isToBePublished { $0.didPublish() }
        if $0.hasNotice(Participant.Notice.derived) { isFollowed = true }
      }
      if !$0.changes.pointee.isEmpty && !$0.isDerived { result.add($0) }
    }
    if isFollowed && followers.pointee.mayBeLate { enlistLateFollowers() }
    if isTracing.pointee {
      tellTraced(lock: lock, isolation: isolation)
      return result
    }
    let number = beginEpoch()
    forEachEnlisted {
      if !$0.changes.pointee.isEmpty {
        $0.notify(epoch: number, lock: lock, isolation: isolation)
      } else if $0.changes.pointee.hasDirty {
        $0.recordUntold()
      }
    }
    forEachEnlisted { if $0.changes.pointee.hasDirty { $0.settle() } }
    return result
  }

  /// Has the reactions delivered, and tells the tracers of the commit and of each delivery.
  @inline(never)
  private func tellTraced(lock: FluxLock?, isolation: ActorIdentity) {
    forEachEnlisted { if $0.changes.pointee.hasDirty { tracing.didCommit($0) } }
    let number = beginEpoch()
    forEachEnlisted {
      if !$0.changes.pointee.isEmpty {
        tracing.notify($0, epoch: number, lock: lock, isolation: isolation)
      } else if $0.changes.pointee.hasDirty {
        $0.recordUntold()
      }
    }
    forEachEnlisted { if $0.changes.pointee.hasDirty { $0.settle() } }
  }
}
