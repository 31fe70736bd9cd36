@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff
internal import Synchronization

/// The drafts of the operation in progress: commits all of them or none, and has the reactions delivered.
///
/// `@unchecked Sendable`: touched only by the thread that performs the flux's operation in progress, and the flux's
/// queue hands it from one thread to the next. The variables need no dynamic check of exclusive access: one thread uses
/// them, and no access to one of them calls anything.
final class FluxTransaction: @unchecked Sendable {
  /// The substances that the operation in progress has named, in that order: each knows the next one. The operation
  /// holds them, or whoever submitted it.
  @exclusivity(unchecked) private var first: Borrowed<StateCell>?
  @exclusivity(unchecked) private var last: Borrowed<StateCell>?
  private let queue: FluxQueue
  let snapshots: Lock<Void>
  let tracing: FluxTracing
  /// Whose operation it is, for those who asked to be told: set by `MarkedMix`, and unset when the operation has ended.
  @exclusivity(unchecked) var mark: (any AnyObject & Sendable)?
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
    if participant.isOpen { return }
    participant.open()
    append(participant)
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
    end()
    return result
  }

  @inline(__always)
  private func end() {
    first = nil
    last = nil
    if mark != nil { mark = nil }
    if !followers.pointee.isEmpty { followers.pointee.removeAll() }
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
  func commit(lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    defer { end() }
    var (isDirty, isFollowed) = (false, false)
    forEachEnlisted {
      $0.reduce()
      if !$0.changes.pointee.hasDirty { return }
      isDirty = true
      if $0.isNoticed && $0.hasNotice(Participant.Notice.derived) { isFollowed = true }
    }
    if !isDirty { return .unchanged }
    if isFollowed { enlistFollowers() }
    publish()
    if isFollowed { refreshFollowersElsewhere() }
    let result = notifyOfPublishing(areFollowersKnown: isFollowed)
    notifyListeners(lock: lock, isolation: isolation)
    forEachEnlisted { if $0.changes.pointee.hasDirty { $0.settle() } }
    return result
  }

  @inline(__always)
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
  /// - Parameter areFollowersKnown: whether what is derived was looked for before.
  /// - Returns: what has changed.
  @inline(__always)
  private func notifyOfPublishing(areFollowersKnown: Bool) -> OperationResult {
    var result = OperationResult.unchanged
    var isFollowed = false
    forEachEnlisted {
      if !$0.changes.pointee.hasDirty { return }
      if $0.isNoticed {
        if $0.isToBePublished { $0.didPublish() }
        if $0.hasNotice(Participant.Notice.derived) { isFollowed = true }
      }
      if !$0.changes.pointee.isEmpty && !$0.isDerived { result.add($0) }
    }
    // What began to follow since it was looked for.
    if isFollowed && (!areFollowersKnown || followers.pointee.mayBeLate) { enlistLateFollowers() }
    return result
  }

  /// Begins the next epoch, and notifies the listeners of what changed. Comes after the commit: a listener that is
  /// added from this epoch on finds the new state.
  @inline(__always)
  private func notifyListeners(lock: FluxLock?, isolation: ActorIdentity) {
    let isTracing = isTracing.pointee
    if isTracing { forEachEnlisted { if $0.changes.pointee.hasDirty { tracing.didCommit($0) } } }
    let epoch = queue.epoch.load(ordering: .relaxed) + 1
    queue.epoch.store(epoch, ordering: .releasing)
    forEachEnlisted {
      if $0.changes.pointee.isEmpty {
        if $0.changes.pointee.hasDirty { $0.recordUntold() }
      } else if isTracing {
        tracing.notify($0, epoch: epoch, lock: lock, isolation: isolation)
      } else {
        $0.notify(epoch: epoch, lock: lock, isolation: isolation)
      }
    }
  }
}
