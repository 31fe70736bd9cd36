internal import FlaskPrimitives

// The present state, which is kept separately while a replay shows a past state as the committed state.
extension Cell {
  /// Whether the committed state is a past state, shown by a replay.
  var isInThePast: Bool { notices & Notice.past != 0 }

  /// Keeps the committed state as the present state, unless a present state is kept already. By the performer.
  package func keepPresent() {
    if isInThePast { return }
    snapshots.withLock { _ in present = pinCommittedUnderLock() }
    setNotice(Notice.past, true)
  }

  /// Writes the present state into the draft. By the performer.
  package func draftPresent() {
    guard let box = snapshots.withLock({ _ in present }) else { return }
    _ = layout.copyDifferences(from: box.address, to: draft)
  }

  /// Removes the separate present state, when the committed state is no longer a past state. Called by the performer.
  package func forgetPresent() {
    setNotice(Notice.past, false)
    snapshots.withLock { _ in present.take() }?.unpin()
  }

  /// The state that archives save, pinned: the present state while a replay shows a past state, otherwise the committed
  /// state.
  package func pinPresent() -> StateBox {
    snapshots.withLock { _ in
      // The present state is kept before a past state is published, and dropped after the present state has been
      // published again.
      guard let present else { return pinCommittedUnderLock() }
      present.pin()
      return present
    }
  }
}
