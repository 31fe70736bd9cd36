internal import FlaskArchive
internal import FlaskDiff
internal import Synchronization

/// What the flux knows of a substance: its committed state, its draft, and who listens. Knows no state type.
///
/// Committed state and draft lie side by side in two boxes. A mix writes into the draft; committing swaps the
/// boxes, so the old state is still whole while reactions are delivered; then what changed is copied over and the
/// boxes are alike again. Whoever kept a box gets to keep it: the substance takes a new one.
///
/// `@unchecked Sendable`: `committed`, `subscribers` and `restorePoint` are written under `flux.commitLock`, and read
/// under it or by the performer; `draft` and `record` belong to the performer of the flux, and the flux's
/// queue hands them from one thread to the next.
final class SubstanceCore: @unchecked Sendable {
  let flux: Flux
  let layout: StateLayout
  let place: SourcePlace

  private(set) var committed: StateBox
  private(set) var draft: StateBox
  private(set) var record: ReactionRecord
  private(set) var subscribers: [AnyReactor] = []
  private var restorePoint: StateBox?

  /// The thread whose closures may touch the draft; 0 outside a mix.
  private let mixingThread = Atomic<UInt>(0)

  init(flux: Flux, layout: StateLayout, initial: StateBox, place: SourcePlace) {
    self.flux = flux
    self.layout = layout
    self.place = place
    committed = initial
    draft = initial.copy()
    record = ReactionRecord()
  }

  // MARK: Drafts, by the performer

  /// True while the running thread performs an operation that has named this substance.
  @inline(__always)
  var isOpen: Bool { mixingThread.load(ordering: .relaxed) == ThreadIdentity.current }

  @inline(__always)
  func open() { mixingThread.store(ThreadIdentity.current, ordering: .relaxed) }

  @inline(__always)
  func close() { mixingThread.store(0, ordering: .relaxed) }

  /// Finds what the draft changed.
  @inline(__always)
  func reduce() { layout.compare(old: committed.address, new: draft.address, into: &record.changes) }

  /// The draft becomes the state. `flux.commitLock` is held.
  @inline(__always)
  func swapUnderLock() { swap(&committed, &draft) }

  /// Makes the draft equal to the state again, after a commit (old values go) or a discarded reduction.
  func settle() {
    if !isKnownUniquelyReferenced(&record) {
      record.keep()
      let used = record
      record = ReactionRecord()
      refreshDraft(used.changes)
    } else {
      refreshDraft(record.changes)
    }
  }

  /// Throws the draft away, whatever it holds.
  func discard() {
    close()
    _ = layout.copyDifferences(from: committed.address, to: draft.address)
  }

  /// Writes the restore point into the draft; false if there is none.
  func draftRestorePoint() -> Bool {
    guard let restorePoint = flux.commitLock.withLock({ _ in self.restorePoint }) else { return false }
    _ = layout.copyDifferences(from: restorePoint.address, to: draft.address)
    return true
  }

  private func refreshDraft(_ changes: borrowing ChangeSet) {
    if draft.isPinned {
      draft = committed.copy()
    } else {
      layout.copyDirty(changes, from: committed.address, to: draft.address)
    }
  }

  // MARK: State, from any thread

  /// The last committed state, pinned: the caller unpins it.
  func pinCommitted() -> StateBox {
    flux.commitLock.withLock { _ in
      committed.pin()
      return committed
    }
  }

  var hasRestorePoint: Bool { flux.commitLock.withLock { _ in restorePoint != nil } }

  func setRestorePoint(_ isWanted: Bool) {
    let old = flux.commitLock.withLock { _ in
      let old = restorePoint
      if isWanted { committed.pin() }
      restorePoint = isWanted ? committed : nil
      return old
    }
    old?.unpin()
  }

  // MARK: Subscribers, from any thread

  func add(_ reactor: AnyReactor) {
    flux.commitLock.withLock { _ in
      if !subscribers.contains(where: { $0 === reactor }) { subscribers.append(reactor) }
    }
  }

  func remove(_ reactor: AnyReactor) {
    let old = flux.commitLock.withLock { _ in
      let old = subscribers
      subscribers.removeAll { $0 === reactor }
      return old
    }
    withExtendedLifetime(old) {}
  }
}
