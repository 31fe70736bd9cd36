internal import FlaskPrimitives
internal import Synchronization

// The steps of a commit, in the order in which the performing thread calls them: see `OperationDrafts.commit`. Other
// functions for drafts follow, and the functions that set up the context in which listeners are called.
extension Cell {
  /// Compares the draft with the state, and closes the draft.
  ///
  /// - Returns: whether the draft differs from the state.
  @inline(__always)
  @discardableResult
  package func compareAndClose() -> Bool {
    mixingThread.store(0, ordering: .relaxed)
    access = 0
    let storage = storage
    layout.compare(
      old: storage.pointee.oldAddress,
      new: storage.pointee.newAddress,
      into: &storage.pointee.changes
    )
    return changes.pointee.hasDirty
  }

  /// The differences between draft and state that `compareAndClose()` has found. Valid until `resetDraft()`.
  @inline(__always)
  package var changes: UnsafeMutablePointer<ChangeSet> {
    UnsafeMutableRawPointer(storage).assumingMemoryBound(to: ChangeSet.self)
  }

  /// Whether `compareAndClose()` has found a change of a key. Valid until `resetDraft()`.
  func isChanged(_ key: Int) -> Bool { commit.isChanged(key) }

  /// The draft becomes the state.
  @inline(__always)
  package func publish() {
    let number = commitCount.load(ordering: .relaxed) &+ 1
    commitCount.store(number, ordering: .releasing)
    storage.pointee.new._withUnsafeGuaranteedRef { $0.number = number }
    // Sequentially consistent, so that this exchange precedes the check in `resetDraft()` whether a reader has pinned
    // the old box; see `pinCommittedUnderLock()`.
    _ = committed.exchange(storage.pointee.new, ordering: .sequentiallyConsistent)
  }

  /// Notifies the attachment of the cell, the archive and Observation that a commit was published.
  @inline(never)
  func didPublish() {
    notifyAttachmentOfCommit()
    if noticed.load(ordering: .sequentiallyConsistent) & ~Notice.attached == 0 { return }
    substance?.use { notifyPublished($0, !changes.pointee.isEmpty) }
  }

  /// Notifies the archive that `pinSaved()` returns another state, although no commit has changed the substance. This
  /// happens, for example, when a pending change is confirmed.
  package func savedStateDidChange() {
    substance?.use { notifyPublished($0, nil) }
  }

  /// Notifies the listeners of the commit that has just been published.
  ///
  /// - Parameter tracing: the tracers, to which each notification is reported; `nil` if the operation is not traced.
  @inline(__always)
  func notify(lock: FluxLock?, isolation: ActorIdentity, tracedBy tracing: (any FluxTracing)? = nil) {
    if listeners.isEmpty { return recordUnnotified() }
    let storage = storage
    storage.pointee.handlingThread = flux.queue.notifyingThread.load(ordering: .relaxed)
    storage.pointee.isolation = isolation
    storage.pointee.attachedLock = lock.map { Unmanaged.passUnretained($0) }
    if let tracing {
      notifyAll(from: isolation, tracedBy: tracing)
    } else {
      Unmanaged.passUnretained(commit)._withUnsafeGuaranteedRef { commit in
        listeners.forEachList(of: commit) { list, _ in list.forEach { $0.receive(commit, from: isolation) } }
      }
    }
    if isRecording { recordAfterWaiting() }
  }

  private func notifyAll(from isolation: ActorIdentity, tracedBy tracing: any FluxTracing) {
    tracing.willNotifyAll(of: self)
    Unmanaged.passUnretained(commit)._withUnsafeGuaranteedRef { commit in
      listeners.forEachList(of: commit) { list, key in
        list.forEach { listener in
          if listener.isNotified {
            listener.receive(commit, from: isolation, observing: key, tracedBy: tracing)
          } else if case let present = listener.present, present.isNotified {
            // The listener was replaced after the commit was published: its reactor got another handler. The
            // replacement gets the commit.
            present.receive(commit, from: isolation, observing: key, tracedBy: tracing)
          } else {
            listener.receive(commit, from: isolation)
          }
        }
      }
    }
  }

  /// Calls `body` with the states of the commit that has just been published.
  package func withPublishedStates(_ body: (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Void) {
    body(UnsafeRawPointer(storage.pointee.oldAddress), UnsafeRawPointer(storage.pointee.newAddress))
  }

  /// Makes the draft equal to the state again, after a commit. The values that the commit has replaced are released,
  /// unless a reader still uses the old state.
  @inline(__always)
  package func resetDraft() {
    if !isKnownUniquelyReferenced(&commit) { return resetKeptDraft() }
    let storage = storage
    let old = storage.pointee.old
    let new = storage.pointee.new
    let oldAddress = storage.pointee.oldAddress
    let newAddress = storage.pointee.newAddress
    if old._withUnsafeGuaranteedRef({ $0.isPinned }) {
      setBoxes(old: new, new: replacement(for: old, copying: new))
    } else {
      layout.copyDirty(changes, from: newAddress, to: oldAddress)
      storage.pointee.old = new
      storage.pointee.new = old
      storage.pointee.oldAddress = newAddress
      storage.pointee.newAddress = oldAddress
    }
  }

  /// Settles a commit that a listener still references: the commit keeps its two boxes, and the cell gets a new commit,
  /// with a draft that equals the state.
  @inline(never)
  private func resetKeptDraft() {
    let kept = commit
    kept.keep()
    let old = storage.pointee.old
    let new = storage.pointee.new
    let draft = replacement(for: old, copying: new)
    commit = Commit(of: self, old: new.takeUnretainedValue(), new: draft.takeUnretainedValue())
    storage = commit.storage
  }

  /// Returns a new box for the draft, with a copy of `new`. The box `old` can't be reused, since a reader still uses
  /// it; the cell's own reference to `old` is released.
  @inline(never)
  func replacement(
    for old: Unmanaged<StateBox>,
    copying new: Unmanaged<StateBox>
  ) -> Unmanaged<StateBox> {
    let draft = new.takeUnretainedValue().copy()
    // Waits for readers that have loaded the pointer to the old box, but have not pinned the box yet. These readers
    // hold this lock.
    snapshotLock.withLock { _ in }
    old.release()
    return .passRetained(draft)
  }

  /// Throws the draft away, whatever it holds.
  func discard() {
    mixingThread.store(0, ordering: .relaxed)
    access = 0
    _ = layout.copyDifferences(from: storage.pointee.oldAddress, to: draft)
  }

  /// Computes the differences between the draft and the state. The draft stays open, and may be changed afterwards.
  package func compareDraft(into changes: inout ChangeSet) {
    layout.compare(old: storage.pointee.oldAddress, new: storage.pointee.newAddress, into: &changes)
  }

  // MARK: The context of notifications

  /// Returns the number of operations that have led to the commit that has just been published: see `Flux.causeCount`.
  /// If this thread is delivering a queued commit that has led to it, a fault is reported when the number reaches
  /// `Flux.causeLimit`. All other chains are reported by `Flux.endCaused`.
  func countCauses() -> Int {
    let ofOperation = flux.drafts.causeCount.load(ordering: .relaxed)
    guard let delivered = DeliveryQueue.delivered else { return ofOperation }
    let count = delivered.use { $0.causeCount } + 1
    if count == Flux.causeLimit && ofOperation < count {
      flux.reportChain(of: ChangedKeys(of: self).names, at: subject.location)
    }
    return max(ofOperation, count)
  }

  /// Performs `body` with the cell's flux as the current flux, as listeners of a commit are called.
  func performInContext(_ body: () -> Void) { WorkRun.outside { flux.withCurrent(body) } }

  /// Performs `body`, which notifies a listener of a queued commit. `operation` is the number of the operation that
  /// made the commit; 0 if the operation was not traced. `type` is the type of a reactor's owner; `nil` for an
  /// observer.
  func performInContext(of operation: Int, notifyingReactorOf type: Any.Type?, _ body: () -> Void) {
    let kind = type.map { OperationCause.Kind.reaction($0) } ?? .observer
    let cause = operation == 0 ? nil : OperationCause(operation: operation, kind: kind)
    flux.causing(cause) { performInContext(body) }
  }

  /// The number of the operation that this thread performs; 0 if it is not traced.
  var operationNumber: Int { flux.tracing?.numberHere ?? 0 }
}
