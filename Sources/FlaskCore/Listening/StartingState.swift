internal import FlaskPrimitives
internal import Synchronization

/// The state with which a listener starts: the listener is notified of each later commit, and of no earlier commit.
///
/// The listener is added first, and the state is read second; so nothing is missed. The state includes each commit that
/// was notified before the read. It may also include a commit that is notified after the read, since a commit is
/// published before its notifications. So the numbers of the state and of the commit are compared.
package final class StartingState: Sendable {
  private let number = Lock<Int?>(nil)
  /// Whether all further commits are later than the state, so that none needs to be compared. Used by the performing
  /// thread only.
  private let isPast = Atomic<Bool>(false)

  /// Reads the state, and pins it. The caller must unpin it.
  package func read(from cell: Cell) -> StateBox {
    number.withLock { number in
      let box = cell.pinCommitted()
      number = box.number
      return box
    }
  }

  /// Whether the commit that is being notified is later than the starting state, so that the listener gets it. Called
  /// by the performing thread.
  @inline(__always)
  func comesBefore(_ commit: Commit) -> Bool { isPast.load(ordering: .relaxed) || decide(commit) }

  private func decide(_ commit: Commit) -> Bool {
    let isBefore = number.withLock { number in
      guard let number else { return false }
      // Commits are notified in order, so the state can include only the first commit that is notified after the read.
      isPast.store(true, ordering: .relaxed)
      return commit.number > number
    }
    return isBefore
  }
}
