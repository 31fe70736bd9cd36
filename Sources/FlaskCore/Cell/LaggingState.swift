/// The old and the new state of a substance, for a listener that receives commits late. Both states advance from one
/// pending commit to the next.
///
/// Isolation: the delivering thread; at most one thread delivers at a time.
final class LaggingState {
  /// The cell whose states are replicated here. Constant, since the performer that queues a commit reads it while
  /// another thread delivers.
  let cell: Cell
  private var position: WaitingCommit
  private var commit: Commit
  private var old: StateBox
  private var new: StateBox

  /// Makes the states of the first commit that is pending for a listener. The result is `nil` if `waiting` has no
  /// `base`.
  init?(at waiting: WaitingCommit) {
    guard let base = waiting.knownBase else { return nil }
    cell = waiting.cell
    position = waiting
    old = base.copy()
    new = base.copy()
    waiting.delta.apply(to: new.address)
    commit = Commit(of: waiting.cell, old: old, new: new, owner: waiting.owner)
    describe()
  }

  /// Moves on to a later commit.
  func advance(to waiting: WaitingCommit) {
    // The boxes are reused unless a listener still uses them. Without listeners, only this object and its commit
    // reference the boxes, and only the commit pins them.
    if !isKnownUniquelyReferenced(&commit) || commit.isReadElsewhere {
      old = old.copy()
      new = new.copy()
    }
    position.delta.apply(to: old.address)
    while position !== waiting, let next = position.next {
      position = next
      if position !== waiting { position.delta.apply(to: old.address) }
      position.delta.apply(to: new.address)
    }
    commit = Commit(of: waiting.cell, old: old, new: new, owner: waiting.owner)
    describe()
  }

  /// Passes the current commit to `body`, which reads the states on this thread without pins.
  func withCommit(_ body: (Commit) -> Void) {
    commit.storage.pointee.handlingThread = ThreadIdentity.current
    body(commit)
  }

  private func describe() {
    commit.storage.pointee.changes = position.delta.changes
    commit.storage.pointee.attachedLock = position.attachedLock.map { Unmanaged.passRetained($0) }
  }
}
