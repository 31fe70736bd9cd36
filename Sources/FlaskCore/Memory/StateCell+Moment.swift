@_spi(FlaskInternals) internal import FlaskArchive
internal import FlaskDiff

// What moments need of a cell.
extension StateCell {
  /// Where closures write while an operation is in progress. By the performer.
  final var draftBox: StateBox { facts.pointee.new.takeUnretainedValue() }

  /// The committed state, for the performer: nobody else replaces it. Before the draft is published.
  final var performersCommittedBox: StateBox { facts.pointee.old.takeUnretainedValue() }

  /// The state to be read by the running code, pinned: the caller unpins it.
  @inline(__always)
  final func pinForReading() -> StateBox { Moment.current?.state(of: self) ?? pinCommitted() }

  /// Makes the draft what is in a box, and finds what that changes. By the performer.
  final func draftState(in box: StateBox) {
    open()
    _ = layout.copyDifferences(from: box.address, to: draft)
    reduce()
  }

  final func isOfSameFlux(as other: StateCell) -> Bool { snapshots === other.snapshots }

  /// The last committed state, pinned; and whether the states of others of its flux are still committed, so that it is
  /// of the same moment.
  final func pinCommitted(besides others: [Moment.Pinned]) -> (StateBox, isTogether: Bool) {
    snapshots.withLock { _ in
      let box = pinCommittedUnderLock()
      return (box, others.allSatisfy { !$0.cell.isOfSameFlux(as: self) || $0.cell.isCommitted($0.box) })
    }
  }

  /// The last committed states of cells of the same flux as this one, pinned at one moment.
  final func pinCommittedTogether(with cells: [StateCell]) -> [(StateCell, StateBox)] {
    snapshots.withLock { _ in
      // A single mix publishes without the lock: all of them are of one moment if none has changed meanwhile.
      while true {
        let pinned = cells.map { ($0, $0.pinCommittedUnderLock()) }
        if pinned.allSatisfy({ $0.isCommitted($1) }) { return pinned }
        for (_, box) in pinned { box.unpin() }
      }
    }
  }
}
