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
  let tracing: FluxTracing
  /// Whose operation it is, for those who asked to be told: set by `MarkedMix`.
  var mark: (any AnyObject & Sendable)?
  /// What follows from the operation in progress is computed at this moment.
  let drafts: Moment
  /// What takes part because it follows from others, held until the operation has been settled: whoever is told may
  /// let go of it. Owned. Behind a pointer, since each access to a stored variable of a class costs a dynamic check.
  let followers: UnsafeMutablePointer<CommitFollowers>
  /// Whether the operation in progress is traced. Lives as long as `tracing`, which need not be counted for a look.
  let isTracing: UnsafeMutablePointer<Bool>

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

  // MARK: Taking part

  /// Opens the draft of a substance, which takes part from here on.
  @inline(__always)
  func enlist(_ participant: Participant) {
    if participant.openUnlessOpen() { append(participant) }
  }

  /// Has a substance take part, and lends its draft until the operation has ended: `prop` is not read or written
  /// meanwhile.
  @inline(__always)
  @discardableResult
  func lend(_ participant: Participant) -> UnsafeMutableRawPointer {
    enlist(participant)
    return participant.lendDraft()
  }

  /// Has a substance take part whose draft is as it should be.
  @inline(__always)
  func append(_ participant: Participant) {
    let cell = Borrowed<StateCell>(participant)
    participant.next = nil
    if let last { last.use { $0.next = cell } } else { first = cell }
    last = cell
  }

  @inline(__always)
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

  /// Throws the drafts away.
  ///
  /// - Returns: `result`.
  func discard(_ result: OperationResult) -> OperationResult {
    forEachEnlisted { $0.discard() }
    removeAll()
    return result
  }

  @inline(__always)
  private func removeAll() {
    first = nil
    last = nil
  }

  // MARK: A whole operation

  /// Runs the body of an operation, and commits or discards.
  @inline(__always)
  func perform(
    _ body: (FluxTransaction) throws -> FluxOperation.Ending,
    lock: FluxLock?,
    isolation: ActorIdentity
  ) -> OperationResult {
    defer { if mark != nil { mark = nil } }
    do {
      switch try body(self) {
      case .commit: return commit(lock: lock, isolation: isolation)
      case .commitHolding(let held):
        return withExtendedLifetime(held) { commit(lock: lock, isolation: isolation) }
      case .abort: return discard(.ended(.aborted))
      case .gone: return discard(.ended(.gone))
      }
    } catch {
      return discard(.ended(.failed(error)))
    }
  }

  // MARK: The commit

  /// Makes all drafts the states, together, and has the reactions delivered:
  ///
  /// 1. Each draft is compared with its state.
  /// 2. What is derived from what changed takes part.
  /// 3. All drafts become the states, at once for readers.
  /// 4. Archives and Observation are notified, then a tracer.
  /// 5. A new epoch begins: an observer that is added from here on finds the new state. The listeners are notified.
  /// 6. The drafts are made equal to the states again.
  ///
  /// For one substance, `commit(alone:)` does the same without the walks through the list.
  func commit(lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    guard let first else { return .unchanged }
    return first.use { first in
      if first.next != nil { return commitSeveral(lock: lock, isolation: isolation) }
      removeAll()
      // Only participants are ever enlisted.
      return commit(alone: unsafeDowncast(first, to: Participant.self), lock: lock, isolation: isolation)
    }
  }

  /// Makes the draft of the one substance that the operation has opened the state, which is not in the list: 230 of
  /// 880 instructions of an observed mix are spared.
  @inline(__always)
  func commit(alone participant: Participant, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    if isTracing.pointee || participant.hasNotice(Participant.Notice.derived) {
      return commitListed(participant, lock: lock, isolation: isolation)
    }
    if !participant.reduce() { return .unchanged }
    participant.publish()
    if notifyOfPublishing(participant) {
      return notifyLate(participant, lock: lock, isolation: isolation)
    }
    let epoch = beginEpoch()
    if participant.changes.pointee.isEmpty {
      participant.recordUntold()
      participant.settle()
      return .unchanged
    }
    let result = OperationResult.committed(ChangedKeys(of: participant))
    participant.notify(epoch: epoch, lock: lock, isolation: isolation)
    participant.settle()
    return result
  }

  @inline(never)
  private func commitListed(
    _ participant: Participant,
    lock: FluxLock?,
    isolation: ActorIdentity
  ) -> OperationResult {
    append(participant)
    return commitSeveral(lock: lock, isolation: isolation)
  }

  /// A value began to follow from the one substance while that was published.
  @inline(never)
  private func notifyLate(
    _ participant: Participant,
    lock: FluxLock?,
    isolation: ActorIdentity
  ) -> OperationResult {
    append(participant)
    enlistLateFollowers()
    notifySeveral(lock: lock, isolation: isolation)
    return participant.changes.pointee.isEmpty || participant.isDerived
      ? .unchanged : .committed(ChangedKeys(of: participant))
  }

  private func commitSeveral(lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    var (isDirty, isFollowed) = (false, false)
    forEachEnlisted {
      if !$0.reduce() { return }
      isDirty = true
      if $0.hasNotice(Participant.Notice.derived) { isFollowed = true }
    }
    if !isDirty {
      removeAll()
      return .unchanged
    }
    if isFollowed { enlistFollowers() }
    publish()
    if isFollowed { refreshFollowersElsewhere() }

    var result = OperationResult.unchanged
    var isFollowedNow = false
    forEachEnlisted {
      if notifyOfPublishing($0) { isFollowedNow = true }
      if !$0.changes.pointee.isEmpty && !$0.isDerived { result.add($0) }
    }
    // What began to follow since it was looked for.
    if isFollowedNow && (!isFollowed || followers.pointee.mayBeLate) { enlistLateFollowers() }
    notifySeveral(lock: lock, isolation: isolation)
    return result
  }

  private func publish() {
    func publish() { forEachEnlisted { if $0.changes.pointee.hasDirty { $0.publish() } } }
    // All at once for readers, who hold this lock. One alone needs none.
    if first?.use({ $0.next == nil }) == true { publish() } else { snapshots.withLock { _ in publish() } }
  }

  /// What follows but belongs to another flux looks for changes there, once this operation has been published.
  @inline(never)
  private func refreshFollowersElsewhere() {
    for follower in followers.pointee.concerned {
      follower.use { if !isOfThisFlux($0) { $0.refreshLater() } }
    }
  }

  /// Notifies archives and Observation of what was published.
  ///
  /// - Returns: whether anything is derived from it.
  @inline(__always)
  private func notifyOfPublishing(_ participant: Participant) -> Bool {
    guard participant.isNoticed && participant.changes.pointee.hasDirty else { return false }
    if participant.isToBePublished { participant.didPublish() }
    return participant.hasNotice(Participant.Notice.derived)
  }

  /// Comes after the commit: a listener that is added from this epoch on finds the new state.
  @inline(__always)
  private func beginEpoch() -> Int {
    let number = queue.epoch.load(ordering: .relaxed) + 1
    queue.epoch.store(number, ordering: .releasing)
    return number
  }

  @inline(__always)
  private func notify(_ participant: Participant, epoch: Int, lock: FluxLock?, isolation: ActorIdentity) {
    if participant.changes.pointee.isEmpty {
      if participant.changes.pointee.hasDirty { participant.recordUntold() }
    } else {
      participant.notify(epoch: epoch, lock: lock, isolation: isolation)
    }
  }

  /// Notifies a tracer and the listeners of what changed, and ends the operation.
  @inline(never)
  private func notifySeveral(lock: FluxLock?, isolation: ActorIdentity) {
    let isTracing = isTracing.pointee
    if isTracing { forEachEnlisted { if $0.changes.pointee.hasDirty { tracing.didCommit($0) } } }
    let epoch = beginEpoch()
    forEachEnlisted {
      if isTracing && !$0.changes.pointee.isEmpty {
        tracing.notify($0, epoch: epoch, lock: lock, isolation: isolation)
      } else {
        notify($0, epoch: epoch, lock: lock, isolation: isolation)
      }
    }
    forEachEnlisted { if $0.changes.pointee.hasDirty { $0.settle() } }
    removeAll()
    if !followers.pointee.isEmpty { followers.pointee.removeAll() }
  }
}
