internal import FlaskPrimitives

/// A commit that waits for a listener, most often one with another isolation: not the two states, but what differs
/// between them.
///
/// Each commit refers to the one after it while any listener is behind: a listener that has delivered one reaches the
/// states of a later one by applying the commits in between.
///
/// `@unchecked Sendable`:
/// - Isolation: `following` is guarded by the lock `snapshots` of the flux.
/// - Invariant: the performer sets `base` before a deliverer can see this; the rest is constant.
/// - If violated: a data race.
final class WaitingCommit: @unchecked Sendable {
  let cell: Cell
  /// The substance, retained until every listener has been notified.
  let owner: AnyObject
  let delta: StateDelta
  let attachedLock: AnyObject?
  /// The number of its operation; 0 if that is not traced.
  let operation: Int
  /// The number of operations that have led to it: see `Flux.causeCount`.
  let causeCount: Int
  /// The state before this commit, if a listener starts to fall behind here.
  private(set) var base: StateBox?
  private var following: WaitingCommit?

  /// - Parameter previous: the commit before it, if a listener still needs that.
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
    // One after the other: released by each other, a hundred thousand would overflow the stack. The performer may find
    // the last one in the meantime, and append another after it.
    var next = following.take()
    while isKnownUniquelyReferenced(&next) {
      next = next.flatMap { next in cell.snapshots.withLock { _ in next.following.take() } }
    }
  }

  /// The commit after it.
  var next: WaitingCommit? { cell.snapshots.withLock { _ in following } }

  /// Keeps the state before this commit, which `commit` still has.
  func makeBase(from commit: Commit) {
    if base == nil { base = commit.storage.pointee.old.takeUnretainedValue().copy() }
  }
}

/// The two states of a substance as a listener that is notified later sees them: they advance from one queued commit to
/// the next.
///
/// Confined to the deliverer, one thread at a time.
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
    // A replica's own references are two for each box, with that of its commit, which pins them once.
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

  /// The commit that it stands at, to be read on this thread without pins.
  func withCommit(_ body: (Commit) -> Void) {
    commit.storage.pointee.handlingThread = ThreadIdentity.current
    body(commit)
  }

  private func describe() {
    commit.storage.pointee.changes = position.delta.changes
    commit.storage.pointee.attachedLock = position.attachedLock.map { Unmanaged.passRetained($0) }
  }
}
