@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff
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
  /// The last one that the operation has named, if attachments want to be called: others may come after it.
  private var lastNamed: Borrowed<StateCell>?
  private let queue: FluxQueue
  let snapshots: Lock<Void>
  private let tracing: FluxTracing
  /// Whose operation it is, for those who asked to be told: set by `MarkedWork`.
  var mark: (any AnyObject & Sendable)?
  /// Whether the operation in progress is traced. Lives as long as `tracing`, which need not be counted for a look.
  private let isTracing: UnsafeMutablePointer<Bool>

  init(queue: FluxQueue, snapshots: Lock<Void>, tracing: FluxTracing) {
    self.queue = queue
    self.snapshots = snapshots
    self.tracing = tracing
    isTracing = tracing.isTracing
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
    lastNamed = nil
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
    if participant.isNoticed && participant.hasNotice(Participant.Notice.attached),
      prepareAttachments(of: participant, isolation: isolation)
    {
      defer { removeAll() }
      return publishSeveral(lock: lock, isolation: isolation)
    }
    return publish(participant, lock: lock, isolation: isolation)
  }

  /// Makes one draft the state that has been reduced, and has the reactions delivered.
  @inline(__always)
  private func publish(
    _ participant: Participant,
    lock: FluxLock?,
    isolation: ActorIdentity
  ) -> OperationResult {
    participant.publish()
    // It may be noticed since it was asked the last time.
    if participant.isNoticed { participant.didPublish() }
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

  /// Commits a substance by itself, before the operation in progress: for what that has to find told. Its draft has
  /// been compared, and it takes no part in the operation so far.
  func commitBefore(_ participant: Participant, isolation: ActorIdentity) {
    if isTracing.pointee { tracing.didCommit(participant) }
    _ = publish(participant, lock: nil, isolation: isolation)
  }

  /// All is committed, and is told now. Comes after the commit: who listens from this epoch on finds the new state.
  @inline(__always)
  private func beginEpoch() -> Int {
    let number = queue.epoch.load(ordering: .relaxed) + 1
    queue.epoch.store(number, ordering: .releasing)
    return number
  }

  /// One substance has changed that has attachments. Returns whether they have others take part, too.
  @inline(never)
  private func prepareAttachments(of participant: Participant, isolation: ActorIdentity) -> Bool {
    if !participant.tellAttachmentsOfDraft() { return false }
    if first == nil { append(participant) }
    tellAttachmentsBefore(isolation)
    return true
  }

  /// What they have take part comes after the substances that the operation has named.
  private func tellAttachmentsBefore(_ isolation: ActorIdentity) {
    lastNamed = last
    forEachEnlisted { $0.tellAttachmentsBefore(self, isolation: isolation) }
  }

  private func commitSeveral(lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    var isAwaited = false
    forEachEnlisted {
      $0.reduce()
      if $0.isNoticed, $0.hasNotice(Participant.Notice.attached), $0.changes.pointee.hasDirty,
        $0.tellAttachmentsOfDraft()
      {
        isAwaited = true
      }
    }
    if isAwaited { tellAttachmentsBefore(isolation) }
    return publishSeveral(lock: lock, isolation: isolation)
  }

  /// Makes drafts the states that have been reduced already.
  func commitReduced(lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    defer { removeAll() }
    return publishSeveral(lock: lock, isolation: isolation)
  }

  private func publishSeveral(lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    func publish() { forEachEnlisted { if $0.changes.pointee.hasDirty { $0.publish() } } }
    // All at once for readers, who hold this lock. One alone needs none.
    if first?.use({ $0.next == nil }) == true { publish() } else { snapshots.withLock { _ in publish() } }
    var result = OperationResult.unchanged
    forEachEnlisted {
      if (lastNamed != nil || $0.isNoticed) && $0.changes.pointee.hasDirty { $0.didPublish() }
      if !$0.changes.pointee.isEmpty && !$0.isDerived { result.add($0) }
    }
    tellSeveral(lock: lock, isolation: isolation)
    if let lastNamed {
      // What was added for attachments may go with the call.
      lastNamed.use { $0.next = nil }
      forEachEnlisted { $0.tellAttachmentsAfter(self) }
    }
    return result
  }

  private func tellSeveral(lock: FluxLock?, isolation: ActorIdentity) {
    if isTracing.pointee { return tellTraced(lock: lock, isolation: isolation) }
    let number = beginEpoch()
    forEachEnlisted {
      if !$0.changes.pointee.isEmpty {
        $0.notify(epoch: number, lock: lock, isolation: isolation)
      } else if $0.changes.pointee.hasDirty {
        $0.recordUntold()
      }
    }
    forEachEnlisted { if $0.changes.pointee.hasDirty { $0.settle() } }
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
