internal import FlaskPrimitives

extension StateCell {
  /// Whether there is a state to go back to.
  final var hasRestorePoint: Bool { snapshots.withLock { _ in restorePoint != nil } }

  /// Keeps the committed state to go back to it, in place of one that was kept before; or keeps none. From any thread.
  final func setRestorePoint(_ isWanted: Bool) {
    let old = snapshots.withLock { _ in
      let old = restorePoint
      restorePoint = isWanted ? pinCommittedUnderLock() : nil
      return old
    }
    old?.unpin()
  }

  /// Writes the restore point into the draft; false if there is none.
  final func draftRestorePoint() -> Bool {
    guard let restorePoint = snapshots.withLock({ _ in restorePoint }) else { return false }
    // Another thread may drop the restore point meanwhile.
    withExtendedLifetime(restorePoint) {
      _ = layout.copyDifferences(from: restorePoint.address, to: draft)
    }
    return true
  }
}
