internal import FlaskPrimitives

/// A commit that is pending for a listener, in most cases for a listener with another isolation. It has the
/// differences, not the two states.
///
/// Pending commits are a linked list: a listener that has delivered one commit reaches the states of a later commit by
/// applying the commits in between.
///
/// `@unchecked Sendable`:
/// - Isolation: `following` is guarded by the lock `snapshots` of the flux.
/// - Invariant: the performer sets `base` before a deliverer can see the commit; the rest is constant.
/// - If violated: a data race.
final class WaitingCommit: @unchecked Sendable {
  let cell: Cell
  /// The substance, retained until every listener has been notified.
  let owner: AnyObject
  let delta: StateDelta
  let attachedLock: AnyObject?
  /// The number of the operation; 0 if it was not traced.
  let operation: Int
  /// The number of operations that have led to this commit: see `Flux.causeCount`.
  let causeCount: Int
  /// The state before this commit. Present only if this is the oldest pending commit of a listener, which starts from
  /// this state.
  private(set) var base: StateBox?
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
    if let previous { cell.snapshots.withLock { _ in previous.following = self } }
  }

  deinit {
    // The commits are released one after another: if each released the next, a hundred thousand commits would overflow
    // the stack. Meanwhile the performer may find the last commit, and append another.
    var next = following.take()
    while isKnownUniquelyReferenced(&next) {
      next = next.flatMap { next in cell.snapshots.withLock { _ in next.following.take() } }
    }
  }

  /// The commit after it.
  var next: WaitingCommit? { cell.snapshots.withLock { _ in following } }

  /// Keeps the state before this commit. `commit` still refers to that state.
  func makeBase(from commit: Commit) {
    if base == nil { base = commit.storage.pointee.old.takeUnretainedValue().copy() }
  }
}

/// The two states of a substance as a lagging listener sees them. They advance from one pending commit to the next.
///
/// Isolation: the delivering thread; at most one thread delivers at a time.
final class LaggingState {
  /// The substance that this is a replica of. Constant: the performer that queues a commit reads it while another
  /// thread delivers.
  let cell: Cell
  private var position: WaitingCommit
  private var commit: Commit
  private var old: StateBox
  private var new: StateBox

  /// The states of the commit at which a listener starts to fall behind.
  init?(at waiting: WaitingCommit) {
    guard let base = waiting.base else { return nil }
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
    // Each box is referenced twice: by the replica, and by the replica's commit, which pins the box once.
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

  /// Passes the current commit of the replica to `body`, which reads it on this thread without pins.
  func withCommit(_ body: (Commit) -> Void) {
    commit.storage.pointee.handlingThread = ThreadIdentity.current
    body(commit)
  }

  private func describe() {
    commit.storage.pointee.changes = position.delta.changes
    commit.storage.pointee.attachedLock = position.attachedLock.map { Unmanaged.passRetained($0) }
  }
}
