internal import FlaskPrimitives
internal import Synchronization

// The draft is used by the performer.
extension Cell {
  /// True while the running thread performs the closures of an operation that has named this substance, until the
  /// draft is compared.
  @inline(__always)
  package var isOpen: Bool { mixingThread.load(ordering: .relaxed) == ThreadIdentity.current }

  /// Opens the draft for the closures of an operation, on the running thread.
  ///
  /// - Returns: `false` if the draft was already open on this thread.
  @inline(__always)
  @discardableResult
  func open() -> Bool {
    let here = ThreadIdentity.current
    if mixingThread.load(ordering: .relaxed) == here { return false }
    mixingThread.store(here, ordering: .relaxed)
    return true
  }

  /// The address of the draft, to which closures write while it is open.
  @inline(__always)
  package var draft: UnsafeMutableRawPointer { storage.pointee.newAddress }

  // MARK: Opening it for closures

  /// Begins a write to the draft, and returns the draft's address. The result is `nil` if the draft is not open on this
  /// thread, or is being read or written.
  @inline(__always)
  @usableFromInline
  func beginWriting() -> UnsafeMutableRawPointer? {
    guard isOpen, access == 0 else { return nil }
    access = -1
    return draft
  }

  @inline(__always)
  @usableFromInline
  func endWriting() { access = 0 }

  /// Begins a read of the draft. The result is `nil` if the draft is not open on this thread, or if a writer uses it.
  @inline(__always)
  @usableFromInline
  func beginReadingDraft() -> UnsafeMutableRawPointer? {
    guard isOpen, access >= 0 else { return nil }
    access += 1
    return draft
  }

  @inline(__always)
  @usableFromInline
  func endReadingDraft() { access -= 1 }

  // MARK: Restore points

  /// Whether there is a restore point.
  var hasRestorePoint: Bool { snapshotLock.withLock { _ in restorePoint != nil } }

  /// Sets or removes the restore point, to which the substance can be rolled back. A new restore point is the committed
  /// state, and replaces an earlier one. May be called on any thread.
  func setRestorePoint(_ isWanted: Bool) {
    let old = snapshotLock.withLock { _ in
      let old = restorePoint
      restorePoint = isWanted ? pinCommittedUnderLock() : nil
      return old
    }
    old?.unpin()
  }

  /// Writes the restore point into the draft.
  ///
  /// - Returns: `false` if the substance has no restore point.
  func draftRestorePoint() -> Bool {
    guard let restorePoint = snapshotLock.withLock({ _ in restorePoint }) else { return false }
    // Retained during the copy, since another thread may remove the restore point in the meantime.
    withExtendedLifetime(restorePoint) {
      _ = layout.copyDifferences(from: restorePoint.address, to: draft)
    }
    return true
  }

  /// Whether the draft differs from the state. Called by the performing thread.
  package var isDraftChanged: Bool {
    var changes = ChangeSet()
    layout.compare(old: performersCommittedBox.address, new: draft, into: &changes)
    return changes.hasDirty
  }

  /// Copies each hidden property (`_name`) from `source` to `target`, unless `source` and `known` have the same value.
  package func copyHidden(
    from source: UnsafeRawPointer,
    unlessIn known: UnsafeRawPointer,
    to target: UnsafeMutableRawPointer
  ) {
    let all = layout.hiddenChanges(from: target, to: source)
    var hidden = ChangeSet()
    hidden.insertDirty(of: all) { !layout.areEqual(known, source, leaf: $0) }
    if hidden.hasDirty { StateDelta(layout: layout, changes: &hidden, new: source).apply(to: target) }
  }

  /// Replaces the restore point, if there is one, by the state that `rebased` makes of it. Called by the performing
  /// thread; `rebased` may run client code.
  package func rebaseRestorePoint(_ rebased: (StateBox) -> StateBox) {
    while let old = snapshotLock.withLock({ _ in restorePoint }) {
      let new = rebased(old)
      new.pin()
      let isReplaced = snapshotLock.withLock { _ in
        if restorePoint !== old { return false }
        restorePoint = new
        return true
      }
      if isReplaced { return old.unpin() }
      new.unpin()
    }
  }
}
