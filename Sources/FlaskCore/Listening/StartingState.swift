internal import FlaskPrimitives
internal import Synchronization

/// The state that a listener starts with: the listener is notified of each commit after that state, and of none before
/// it.
///
/// The listener is added first, and the state is read second; so nothing is missed. A commit whose notification
/// precedes the read of the state is a part of it; a later one may be a part of it, too, since a commit is published
/// before its notifications. The state's number decides.
package final class StartingState: Sendable {
  private let number = Lock<Int?>(nil)
  /// Whether all later commits come after it. Touched by the performer.
  private let isPast = Atomic<Bool>(false)

  /// Reads the state, pinned: the caller unpins it.
  package func read(from cell: Cell) -> StateBox {
    number.withLock { number in
      let box = cell.pinCommitted()
      number = box.number
      return box
    }
  }

  /// Whether the commit of the notification in progress comes after the state. By the performer.
  @inline(__always)
  func comesBefore(_ commit: Commit) -> Bool { isPast.load(ordering: .relaxed) || decide(commit) }

  private func decide(_ commit: Commit) -> Bool {
    let isBefore = number.withLock { number in
      guard let number else { return false }
      // Commits are notified in order: at most one is a part of the state.
      isPast.store(true, ordering: .relaxed)
      return commit.number > number
    }
    return isBefore
  }
}
