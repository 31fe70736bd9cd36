internal import FlaskPrimitives
internal import Synchronization

/// The drafts of the operation in progress. Commits all of them or none, and delivers the reactions.
///
/// `@unchecked Sendable`:
/// - Isolation: the thread that performs the flux's operation in progress; the flux's queue synchronizes the change of
///   threads.
/// - If violated: a data race.
package final class OperationDrafts: @unchecked Sendable {
  /// The first substance that the operation in progress has named. Each links to the next one (`Cell.next`).
  ///
  /// The list retains the substances until the operation has settled or discarded their drafts, however it ends.
  private var first: UnretainedReference<Cell>?
  private var last: UnretainedReference<Cell>?
  private let queue: FluxQueue
  let snapshotLock: Lock<Void>
  /// An object that identifies the origin of the operation, such as a history, for observers of commits. It is set by
  /// the body of the operation, or by `Flux.marking`.
  @exclusivity(unchecked) package var mark: (any AnyObject & Sendable)?
  /// The last substance that the operation itself has named; attachments may append further substances. It is `nil`
  /// unless attachments must be called or the body has compared the drafts.
  private var lastNamed: UnretainedReference<Cell>?
  /// The number of operations that have led to the operation in progress: see `Flux.causeCount`.
  let causeCount = Atomic<Int>(0)
  /// The tracers that are notified of the operation in progress, if it is traced. The flux retains them.
  @exclusivity(unchecked) var tracing: UnretainedReference<Held<any FluxTracing>>?

  init(queue: FluxQueue, snapshotLock: Lock<Void>) {
    self.queue = queue
    self.snapshotLock = snapshotLock
  }

  // MARK: Taking part

  /// Opens the draft of a substance, and adds the substance to the operation.
  ///
  /// - Returns: `false` if the operation has the substance already.
  @inline(__always)
  @discardableResult
  package func enlist(_ cell: Cell) -> Bool {
    if !cell.open() { return false }
    append(cell)
    return true
  }

  /// Adds a substance to the operation, and returns the address of its draft. Any use of the substance's `prop` is a
  /// fault until the operation has ended.
  @inline(__always)
  @discardableResult
  package func openDraft(of cell: Cell) -> UnsafeMutableRawPointer {
    enlist(cell)
    cell.access = -1
    return cell.draft
  }

  /// Enlists a substance whose draft is complete, and retains it.
  @inline(__always)
  package func append(_ cell: Cell) {
    cell.retainOwner()
    let named = UnretainedReference(cell)
    cell.next = nil
    if let last { last.use { $0.next = named } } else { first = named }
    last = named
  }

  @inline(__always)
  package func forEachEnlisted(_ body: (Cell) -> Void) {
    var next = first
    while let cell = next {
      cell.use {
        next = $0.next
        body($0)
      }
    }
  }

  /// Throws the drafts away.
  ///
  /// - Returns: `result`.
  package func discard(_ result: OperationResult) -> OperationResult {
    forEachEnlisted { $0.discard() }
    removeAll()
    return result
  }

  /// Empties the list, and then releases the substances. A release may run a `deinit` of client code, whose mixes wait,
  /// since the operation is still in progress.
  @inline(__always)
  private func removeAll() {
    var next = first
    first = nil
    last = nil
    lastNamed = nil
    while let cell = next {
      let owner = cell.use { cell in
        next = cell.next
        return cell.ownerReference
      }
      owner.release()
    }
  }

  // MARK: A whole operation

  /// Runs the body of an operation, and commits or discards the drafts.
  @inline(__always)
  func perform(
    _ body: (OperationDrafts) throws -> FluxOperation.Ending,
    lock: FluxLock?,
    isolation: ActorIdentity
  ) -> OperationResult {
    defer { if mark != nil { mark = nil } }
    do {
      let ending = try body(self)
      switch ending {
      case .commit: return commit(lock: lock, isolation: isolation)
      case .commitCompared:
        lastNamed = last
        return commitCompared(lock: lock, isolation: isolation)
      case .abort: return discard(.ended(.aborted))
      case .gone: return discard(.ended(.gone))
      case .cancelled: return discard(.ended(.cancelled))
      }
    } catch {
      return discard(.ended(.failed(error)))
    }
  }

  // MARK: The commit

  /// Makes all drafts the states, together, and has the reactions delivered:
  ///
  /// 1. `compareAndClose`: compares each draft with its state, and closes it.
  /// 2. Attachments that requested it are called, and may enlist other substances (`SubstanceAttachment`). If the
  ///    operation is marked, or changes are pending, the state keepers supply the states for archives (`StateKeeper`).
  /// 3. `publish`: all drafts become the states, at once for readers. Then `beginEpoch`: a listener that is added later
  ///    is notified of the next operation.
  /// 4. `didPublish`: for each substance, notifies its attachment, its archive and Observation. Then the tracers are
  ///    notified.
  /// 5. `notify`: for each substance, notifies its listeners, reactors first.
  /// 6. `resetDraft`: the drafts are made equal to the states again, and attachments are called for the last time.
  ///
  /// An untraced and unmarked operation over one substance without such notices takes steps 1 and 3 to 6 in
  /// `commit(single:)`, which does not walk the list. All other commits use `commitListed`.
  @inline(never)
  package func commit(lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    guard let single = first else { return .unchanged }
    if mark != nil || single.use({ $0.next != nil }) { return commitListed(lock: lock, isolation: isolation) }
    first = nil
    last = nil
    // The substance is retained as it was by the list, until its draft is settled.
    let (result, owner) = single.use {
      (commit(single: $0, lock: lock, isolation: isolation), $0.ownerReference)
    }
    owner.release()
    return result
  }

  /// Commits the draft of the only substance of an operation, which the caller retains. The list of substances is
  /// used only if the operation is traced or an attachment is called. A mix with an observer takes 650 instructions
  /// without the list, and 880 with it.
  @inline(__always)
  func commit(single cell: Cell, lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    if tracing != nil || cell.notices & (Cell.Notice.attached | Cell.Notice.pending) != 0 {
      append(cell)
      return commitListed(lock: lock, isolation: isolation)
    }
    if !cell.compareAndClose() { return .unchanged }
    cell.publish()
    queue.beginEpoch()
    if cell.notices != 0 { cell.didPublish() }
    if cell.changes.pointee.isEmpty {
      cell.recordUnnotified()
      cell.resetDraft()
      return .unchanged
    }
    let result = OperationResult.committed(ChangedKeys(of: cell))
    cell.notify(lock: lock, isolation: isolation)
    cell.resetDraft()
    return result
  }

  @inline(never)
  private func commitListed(lock: FluxLock?, isolation: ActorIdentity) -> OperationResult {
    var isDirty = false
    var isAwaited = false
    var isPending = mark != nil
    forEachEnlisted {
      if !$0.compareAndClose() { return }
      isDirty = true
      let notices = $0.notices
      if notices & Cell.Notice.pending != 0 { isPending = true }
      if notices & Cell.Notice.attached != 0, $0.notifyAttachmentOfDraft() {
        isAwaited = true
      }
    }
    if !isDirty { return discard(.unchanged) }
    if isAwaited {
      // The last substance that the operation has named: substances that an attachment adds come after it in the list.
      lastNamed = last
      forEachEnlisted { $0.notifyAttachmentBefore(self, isolation: isolation) }
    }
    let confirmed = isPending ? first?.use { $0.flux.stateKeepers.willPublish(in: self) } : nil
    return commitCompared(lock: lock, isolation: isolation, confirmed ?? [])
  }

  /// Commits drafts that have been compared with their states already: steps 3 to 6 of `commit(lock:isolation:)`, from
  /// the publication on.
  ///
  /// - Parameter confirmed: the states that archives save once the drafts are published, for substances whose saved
  ///   state changes. If `box` is `nil`, no change is pending any more, and archives save the committed state.
  @inline(never)
  func commitCompared(
    lock: FluxLock?,
    isolation: ActorIdentity,
    _ confirmed: [(cell: Cell, box: StateBox?)] = []
  ) -> OperationResult {
    // Readers hold this lock, so they see all drafts become states at once. A listener that is added while the lock is
    // held is not notified of a commit whose states may have been read before.
    let replaced = snapshotLock.withLock { _ in
      Publications.begin()
      forEachEnlisted { if $0.changes.pointee.hasDirty { $0.publish() } }
      let replaced = confirmed.map { $0.cell.exchangeConfirmed($0.box) }
      queue.beginEpoch()
      Publications.end()
      return replaced
    }
    // Released without the lock, since a `deinit` of client code may run.
    withExtendedLifetime(replaced) {}
    var result = OperationResult.unchanged
    forEachEnlisted {
      if !$0.changes.pointee.hasDirty { return }
      // `notices` is checked again, since another thread may have requested notices after the drafts were compared.
      if lastNamed != nil || $0.notices != 0 { $0.didPublish() }
      if !$0.changes.pointee.isEmpty && !$0.isDerived { result.add($0) }
    }
    // An operation can change the state that archives save of a substance without changing its committed state. An
    // example is an undo while changes are pending.
    for (cell, _) in confirmed where !cell.changes.pointee.hasDirty { cell.savedStateDidChange() }
    let tracing = tracing?.use { $0.value }
    if let tracing { forEachEnlisted { if $0.changes.pointee.hasDirty { tracing.didCommit($0) } } }
    forEachEnlisted {
      if $0.changes.pointee.isEmpty {
        if $0.changes.pointee.hasDirty { $0.recordUnnotified() }
      } else if let tracing {
        $0.notify(lock: lock, isolation: isolation, tracedBy: tracing)
      } else {
        $0.notify(lock: lock, isolation: isolation)
      }
    }
    forEachEnlisted { if $0.changes.pointee.hasDirty { $0.resetDraft() } }
    if let lastNamed {
      // Calls the attachments of the substances that the operation itself has named: the first ones of the list, up to
      // `lastNamed`. Attachments have appended the others, such as derived values.
      var next = first
      while let cell = next {
        cell.use { $0.notifyAttachmentAfter(self) }
        next = cell == lastNamed ? nil : cell.use { $0.next }
      }
    }
    removeAll()
    return result
  }
}
