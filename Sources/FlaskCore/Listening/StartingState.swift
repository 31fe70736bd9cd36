internal import FlaskPrimitives
internal import Synchronization

/// The state with which a listener starts: the listener is notified of each later commit, and of no earlier commit.
///
/// The listener is added first, and the state is read second; so nothing is missed. If a commit's notification precedes
/// the read of the state, the state includes the commit. It may include a later notification's commit, too, since a
/// commit is published before its notifications. The number of the state decides which commits come after it.
package final class StartingState: Sendable {
  private let number = Lock<Int?>(nil)
  /// Whether all further commits are later than the state. Accessed by the performer only.
  private let isPast = Atomic<Bool>(false)

  /// Reads the state, pinned: the caller unpins it.
  package func read(from cell: Cell) -> StateBox {
    number.withLock { number in
      let box = cell.pinCommitted()
      number = box.number
      return box
    }
  }

  /// Whether the commit of the notification in progress is later than the state. By the performer.
  @inline(__always)
  func comesBefore(_ commit: Commit) -> Bool { isPast.load(ordering: .relaxed) || decide(commit) }

  private func decide(_ commit: Commit) -> Bool {
    let isBefore = number.withLock { number in
      guard let number else { return false }
      // Commits are notified in order, so the state can include at most one of them.
      isPast.store(true, ordering: .relaxed)
      return commit.number > number
    }
    return isBefore
  }
}
