internal import FlaskPrimitives
internal import Synchronization

// The committed state.
extension Cell {
  // MARK: From any thread

  /// The version of the last committed state, or of a state that is about to be committed.
  @inline(__always)
  package var committedVersion: Int { commitCount.load(ordering: .acquiring) }

  /// `committedVersion`, for a caller that has just requested notices. Sequentially consistent: either this property is
  /// the version of a commit, or the performer of that commit sees the request after it has published.
  package var publishedVersion: Int {
    _ = committed.load(ordering: .sequentiallyConsistent)
    return committedVersion
  }

  /// The last committed state, pinned. The caller must unpin it.
  package func pinCommitted() -> StateBox { snapshots.withLock { _ in pinCommittedUnderLock() } }

  /// Returns the last committed state, pinned. The caller holds `snapshots`.
  ///
  /// The box is pinned first, and then checked. If it is still the committed state, the performer that replaces it
  /// later sees the pin. Sequentially consistent: either the performer's exchange precedes this check, or this pin
  /// precedes the performer's check for pins.
  package func pinCommittedUnderLock() -> StateBox {
    while true {
      let found = committed.load(ordering: .sequentiallyConsistent)
      let box = found.takeUnretainedValue()
      box.pin()
      if committed.load(ordering: .sequentiallyConsistent).toOpaque() == found.toOpaque() { return box }
      box.unpin()
    }
  }

  /// Whether a pinned box is still the box of the committed state.
  func isCommitted(_ box: StateBox) -> Bool {
    committed.load(ordering: .sequentiallyConsistent).toOpaque() == Unmanaged.passUnretained(box).toOpaque()
  }

  // MARK: For readers of moments

  package typealias Pinned = (cell: Cell, box: StateBox)

  /// The state that the running code reads: the state of the current `StateReader`, otherwise the committed state. It
  /// is pinned; the caller must unpin it.
  @inline(__always)
  package func pinForReading() -> StateBox {
    CurrentReader.current.map { $0.use { $0.reader.pinState(of: self) } } ?? pinCommitted()
  }

  /// The box of the draft, to which closures write while an operation is in progress. By the performer.
  package var draftBox: StateBox { storage.pointee.new.takeUnretainedValue() }

  /// The committed state as it is before the draft is published. Only the performer may use this property, since it
  /// alone replaces the committed state.
  package var performersCommittedBox: StateBox {
    storage.pointee.old.takeUnretainedValue()
  }

  /// Copies the state of a box into the draft, and computes the keys that change. By the performer.
  package func draftState(in box: StateBox) {
    if draftBox.isPinned {
      // A commit or a snapshot still reads this box, so the draft continues in a copy.
      let draft = storage.pointee.new
      setBoxes(old: storage.pointee.old, new: replacement(for: draft, copying: draft))
    }
    open()
    _ = layout.copyDifferences(from: box.address, to: draft)
    compareAndClose()
  }

  package func isOfSameFlux(as other: Cell) -> Bool { snapshots === other.snapshots }

  /// Returns the last committed state, pinned. `isTogether` is true if the given states that belong to the same flux
  /// are still committed. Then these states and the result are consistent.
  package func pinCommitted(besides others: [Pinned]) -> (StateBox, isTogether: Bool) {
    snapshots.withLock { _ in
      let box = pinCommittedUnderLock()
      return (box, others.allSatisfy { !$0.cell.isOfSameFlux(as: self) || $0.cell.isCommitted($0.box) })
    }
  }

  /// A consistent snapshot of cells of this flux: their last committed states, pinned.
  package func pinCommittedTogether(with cells: [Cell]) -> [Pinned] {
    snapshots.withLock { _ in
      // Repeated, since a mix of one substance publishes without the lock: the states are consistent if none has
      // changed in the meantime.
      while true {
        let pinned = cells.map { ($0, $0.pinCommittedUnderLock()) }
        if pinned.allSatisfy({ $0.isCommitted($1) }) { return pinned }
        for (_, box) in pinned { box.unpin() }
      }
    }
  }

  // MARK: Replacing it

  /// Publishes a copy of `box` as the state, while no operation uses the cell.
  ///
  /// - Returns: objects that the caller must release while it holds no lock.
  @discardableResult
  package func install(_ box: StateBox) -> [StateBox] {
    let (state, draft) = (Unmanaged.passRetained(box.copy()), Unmanaged.passRetained(box.copy()))
    state._withUnsafeGuaranteedRef { $0.number = committedVersion }
    // Under the lock, since a reader may be about to pin the old box.
    let old = snapshots.withLock { _ in committed.exchange(state, ordering: .sequentiallyConsistent) }
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
