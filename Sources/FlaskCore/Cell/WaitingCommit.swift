internal import FlaskPrimitives

/// A commit that is pending for a listener, in most cases for a listener with another isolation. It has the
/// differences, not the two states.
///
/// Pending commits are a linked list: a listener that has delivered one commit reaches the states of a later commit by
/// applying the commits in between. Commits in between that no queue has any more become one commit, again and again.
/// So a listener that is blocked costs as much memory as the commits in the queues of all listeners, and a few states.
///
/// `@unchecked Sendable`:
/// - Isolation: `following` and `base` are guarded by the lock `snapshotLock` of the flux. Only the performer sets
///   `base`, and may do so when the queue of another listener has the commit already. The performer replaces `delta`
///   under the lock while nothing but the list refers to the commit; a deliverer gets its reference under the lock, and
///   then reads.
/// - Invariant: the rest is constant.
/// - If violated: a data race.
final class WaitingCommit: @unchecked Sendable {
  let cell: Cell
  /// The substance. It is retained until every listener has been notified of this commit.
  let owner: AnyObject
  private(set) var delta: StateDelta
  let attachedLock: AnyObject?
  /// The number of the operation that made this commit; 0 if the operation was not traced.
  let operation: Int
  /// The number of operations that have led to this commit: see `Flux.causeCount`.
  let causeCount: Int
  /// A copy of the state before this commit. It exists only if some listener has no earlier pending commit: that
  /// listener computes its states from this copy.
  private var base: StateBox?
  private var following: WaitingCommit?

  /// - Parameter previous: the commit before this commit, if a listener still needs it.
  init(_ commit: Commit, after previous: WaitingCommit?) {
    causeCount = commit.cell.countCauses()
    cell = commit.cell
    owner = commit.owner
    attachedLock = commit.attachedLock
    operation = commit.cell.operationNumber
    delta = StateDelta(
      layout: commit.cell.layout,
      changes: commit.changes,
      new: commit.storage.pointee.newAddress
    )
    if let previous { cell.snapshotLock.withLock { _ in previous.following = self } }
  }

  deinit {
    // The commits that follow this one are released in a loop: if each released the next, a hundred thousand commits
    // would overflow the stack. The performing thread may append another commit to the list during the loop.
    var next = following.take()
    while isKnownUniquelyReferenced(&next) {
      next = next.flatMap { next in cell.snapshotLock.withLock { _ in next.following.take() } }
    }
  }

  // MARK: Merging, by the performer

  /// How many commits of a substance are recorded at least before some of them are merged.
  static let mergeLimit = 64

  /// Merges commits after this one, as long as only the list refers to them. Call it with a later commit, which is
  /// kept.
  ///
  /// - Returns: how many commits there are from this one to `last`.
  func mergeFollowing(until last: WaitingCommit) -> Int {
    var place = self
    var count = 1
    while place !== last {
      // The deltas are merged without the lock. A deliverer that comes to one of the commits in the meantime has a
      // reference to it, and then nothing is replaced.
      if let (first, second) = place.deltasOfNextTwo,
        place.replaceNextTwo(by: StateDelta(first, then: second))
      {
        continue
      }
      guard let next = place.next else { break }
      place = next
      count += 1
    }
    return count
  }

  /// The differences of the next two commits; `nil` if anything but the list refers to one of them.
  private var deltasOfNextTwo: (StateDelta, StateDelta)? {
    cell.snapshotLock.withLock { _ in
      guard isFollowedByTwo, let next = following, let second = next.following else { return nil }
      return (next.delta, second.delta)
    }
  }

  private var isFollowedByTwo: Bool {
    isKnownUniquelyReferenced(&following) && following?.isFollowedByOne ?? false
  }

  private var isFollowedByOne: Bool { isKnownUniquelyReferenced(&following) }

  /// Makes one commit of the next two, unless anything but the list refers to one of them.
  private func replaceNextTwo(by delta: StateDelta) -> Bool {
    // What is replaced is released after the lock, since that may run client code.
    let replaced = cell.snapshotLock.withLock { _ -> (StateDelta, WaitingCommit?)? in
      guard isFollowedByTwo, let next = following else { return nil }
      let old = next.delta
      let second = next.following.take()
      next.delta = delta
      next.following = second?.following.take()
      return (old, second)
    }
    return replaced != nil
  }

  /// The commit after it.
  var next: WaitingCommit? { cell.snapshotLock.withLock { _ in following } }

  /// Whether the state before this commit is stored. Called by the performing thread, which alone stores it.
  var hasBase: Bool { base != nil }

  /// The state before this commit, if it is stored.
  var knownBase: StateBox? { cell.snapshotLock.withLock { _ in base } }

  /// Stores a copy of the state before this commit, which is the old state of `commit`. Called by the performing
  /// thread.
  func makeBase(from commit: Commit) {
    if hasBase { return }
    let copy = commit.storage.pointee.old.takeUnretainedValue().copy()
    cell.snapshotLock.withLock { _ in base = copy }
  }
}
