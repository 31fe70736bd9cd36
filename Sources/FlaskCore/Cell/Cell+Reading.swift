internal import FlaskPrimitives
internal import Synchronization

// The committed state.
extension Cell {
  // MARK: From any thread

  /// The number of the last committed state, or of a state that is about to be committed.
  @inline(__always)
  package var committedVersion: Int { commitCount.load(ordering: .acquiring) }

  /// `committedVersion`, for a caller that has just requested to be notified of commits. Sequentially consistent, so
  /// that one of two cases holds for each commit. Either this property is at least the number of the commit. Or the
  /// thread that publishes the commit sees the request afterwards.
  package var publishedVersion: Int {
    _ = committed.load(ordering: .sequentiallyConsistent)
    return committedVersion
  }

  /// The last committed state, pinned: its box is not reused until the caller unpins it.
  package func pinCommitted() -> StateBox { snapshotLock.withLock { _ in pinCommittedUnderLock() } }

  /// Returns the last committed state, pinned, so that its box is not reused before it is unpinned. The caller holds
  /// the lock `snapshotLock`.
  ///
  /// The box is pinned first, and then checked. If it is still the committed state, the pin is in time: the thread that
  /// replaces the state afterwards sees the pin. Otherwise the box is unpinned, and the next one is tried. Sequentially
  /// consistent: either the replacement precedes this check, or this pin precedes the other thread's check for pins.
  package func pinCommittedUnderLock() -> StateBox {
    while true {
      let found = committed.load(ordering: .sequentiallyConsistent)
      let box = found.takeUnretainedValue()
      box.pin()
      if committed.load(ordering: .sequentiallyConsistent).toOpaque() == found.toOpaque() { return box }
      box.unpin()
    }
  }

  /// Whether a pinned box still contains the committed state: no commit has replaced it since it was pinned.
  func isCommitted(_ box: StateBox) -> Bool {
    committed.load(ordering: .sequentiallyConsistent).toOpaque() == Unmanaged.passUnretained(box).toOpaque()
  }

  // MARK: For readers of moments

  package typealias Pinned = (cell: Cell, box: StateBox)

  /// The state that the running code reads: the state that the current `StateReader` supplies, otherwise the committed
  /// state. It is pinned, so that it stays unchanged until the caller unpins it.
  @inline(__always)
  package func pinForReading() -> StateBox {
    CurrentReader.current.map { $0.use { $0.reader.pinState(of: self) } } ?? pinCommitted()
  }

  /// The box of the draft, to which closures write while an operation is in progress. Only the performing thread may
  /// use it.
  package var draftBox: StateBox { storage.pointee.new.takeUnretainedValue() }

  /// The committed state as it is before the draft is published. Only the thread that performs the operation may use
  /// this property: no other thread replaces the committed state.
  package var performersCommittedBox: StateBox {
    storage.pointee.old.takeUnretainedValue()
  }

  /// Copies the state of a box into the draft, computes the keys that change, and closes the draft. Called by the
  /// performing thread.
  package func draftState(in box: StateBox) {
    if draftBox.isPinned {
      // A commit or a snapshot still reads the draft's box, so the draft gets a new box with a copy.
      let draft = storage.pointee.new
      setBoxes(old: storage.pointee.old, new: replacement(for: draft, copying: draft))
    }
    open()
    _ = layout.copyDifferences(from: box.address, to: draft)
    compareAndClose()
  }

  package func isOfSameFlux(as other: Cell) -> Bool { snapshotLock === other.snapshotLock }

  /// Returns the last committed state, pinned. `isTogether` is true if those states in `others` that belong to the same
  /// flux are still committed: then they are consistent with the result.
  package func pinCommitted(besides others: [Pinned]) -> (StateBox, isTogether: Bool) {
    snapshotLock.withLock { _ in
      let box = pinCommittedUnderLock()
      return (box, others.allSatisfy { !$0.cell.isOfSameFlux(as: self) || $0.cell.isCommitted($0.box) })
    }
  }

  /// A consistent snapshot of cells of this flux: their last committed states, pinned.
  package func pinCommittedTogether(with cells: [Cell]) -> [Pinned] {
    snapshotLock.withLock { _ in
      // Repeated until no state has changed while they were collected, so that the states are consistent. The lock does
      // not ensure this, since a mix of one substance publishes without it.
      while true {
        let pinned = cells.map { ($0, $0.pinCommittedUnderLock()) }
        if pinned.allSatisfy({ $0.isCommitted($1) }) { return pinned }
        for (_, box) in pinned { box.unpin() }
      }
    }
  }

  // MARK: Replacing it

  /// Replaces the committed state by a copy of the state in `box`, without an operation: no listener is notified.
  /// Precondition: no operation uses this cell, since its draft and both states are replaced. An operation over other
  /// substances may be in progress.
  ///
  /// - Returns: objects that the caller must release while it holds no lock.
  @discardableResult
  package func install(_ box: StateBox) -> [StateBox] {
    let state = Unmanaged.passRetained(box.copy())
    let draft = Unmanaged.passRetained(box.copy())
    state._withUnsafeGuaranteedRef { $0.number = committedVersion }
    // The lock is held, since a reader that holds it may be about to pin the old box.
    let old = snapshotLock.withLock { _ in committed.exchange(state, ordering: .sequentiallyConsistent) }
    let boxes = [old.takeRetainedValue(), storage.pointee.new.takeRetainedValue()]
    setBoxes(old: state, new: draft)
    return boxes
  }

  @inline(__always)
  func setBoxes(old: Unmanaged<StateBox>, new: Unmanaged<StateBox>) {
    let storage = storage
    storage.pointee.old = old
    storage.pointee.new = new
    storage.pointee.oldAddress = old._withUnsafeGuaranteedRef { $0.address }
    storage.pointee.newAddress = new._withUnsafeGuaranteedRef { $0.address }
  }
}
