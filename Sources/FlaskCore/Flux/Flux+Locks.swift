internal import Synchronization

extension Flux {
  /// The held locks, oldest first. Each has the source location at which it was taken.
  public var locks: [FluxLock] { queue.decide { $0.locks } }

  /// Pauses this flux until the lock is released. An operation in progress is finished first.
  ///
  /// - Parameters:
  ///   - timeout: the time after which the lock is released and a fault is reported; `nil` for no limit.
  ///   - clock: the clock of the timeout; the system's clock by default.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  public func lock(
    timeout: Duration? = nil,
    clock: (any Clock<Duration>)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxLock {
    let lock = FluxLock(flux: self, isAutoreleasing: false, location: SourcePlace(fileID, line))
    queue.decide { $0.lock(lock) }
    WorkRun.here?.hold(lock)
    if let timeout { lock.expire(after: timeout, on: clock ?? defaultClock) }
    return lock
  }

  /// Pauses this flux while `body` runs. The lock is released on every way out: return, throw and cancellation.
  ///
  /// Mixes submitted by `body` wait until it has ended. So `body` can't await their outcomes: the attempt is a fault,
  /// and returns the outcome `waiting`. Mixes submitted by a task that `body` starts wait, too. So `body` must not wait
  /// for a task that awaits the outcome of a mix.
  ///
  /// - Parameters:
  ///   - timeout: after that time the lock is released and a fault reported, while `body` continues; `nil` waits for
  ///     ever.
  ///   - clock: the clock of the timeout; the system's clock by default.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - body: the work during which the flux is locked.
  public func withLock<Result>(
    timeout: Duration? = nil,
    clock: (any Clock<Duration>)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    let lock = lock(timeout: timeout, clock: clock, fileID: fileID, line: line)
    defer { lock.release() }
    return try await FluxLock.$heldByTask.withValue(FluxLock.heldByTask + [.init(lock)], operation: body)
  }

  /// Pauses this flux while `body` runs. The operations that `body` submits are performed afterwards. Each of their
  /// commits has `mark` as the object that identifies its origin (`CommitOrigin`). Operations that reactions and
  /// effects of these operations submit are not marked.
  package func marking<Result>(
    _ mark: any AnyObject & Sendable,
    at location: SourcePlace,
    isolation: (any Actor)?,
    _ body: () throws -> Result
  ) rethrows -> Result {
    Flux.areMarked.store(true, ordering: .relaxed)
    let lock = FluxLock(flux: self, isAutoreleasing: false, mark: mark, location: location)
    queue.decide { $0.lock(lock) }
    defer { lock.release(isolation: isolation) }
    return try FluxLock.$heldByTask.withValue(FluxLock.heldByTask + [.init(lock)], operation: body)
  }

  /// The mark of operations that this task submits now: the object that was passed to `marking` to identify their
  /// origin. It is stored in the innermost lock that this task holds.
  package var presentMark: (any AnyObject & Sendable)? {
    FluxOperation.lockOfThisTask(of: self, isHeldHere: true)?.mark
  }

  /// Pauses this flux by `lock`, and performs the operation that comes with `lock`. That operation precedes all queued
  /// operations that came without a lock, and is performed even if other locks are held. It waits for the end of a
  /// replay.
  func lock(
    _ lock: FluxLock,
    timeout: Duration?,
    clock: (any Clock<Duration>)?,
    performing operation: FluxOperation,
    isolation: ActorIdentity
  ) {
    operation.lock = lock
    operation.submission = tracing?.submission().orCaused(by: lock)
    if operation.isOfEndedWork { return operation.drop(as: .cancelled) }
    if !admit(operation) { return }
    operation.willBePerformed()
    operation.willEnterQueue()
    let isAtOnce = queue.decide { [fluxQueue = queue] in
      fluxQueue.isEnding ? nil : $0.lock(lock, with: operation)
    }
    guard let isAtOnce else { return _ = admit(operation) }
    WorkRun.here?.hold(lock)
    if let timeout { lock.expire(after: timeout, on: clock ?? defaultClock) }
    if isAtOnce {
      perform(operation, isolation: isolation)
    } else {
      operation.dropIfEnded()
    }
  }

  /// Pauses this flux for a replay: only operations of the replay are performed. Operations that come with a lock of
  /// their own wait, too.
  ///
  /// - Returns: the lock; its `endReplay(isolation:)` ends the pause.
  package func lockForReplay(at location: SourcePlace) -> FluxLock {
    let lock = FluxLock(flux: self, isAutoreleasing: false, isOfReplay: true, location: location)
    queue.decide { $0.lockForReplay(lock) }
    return lock
  }

  /// Releases every lock, in the order in which they were taken; the flux continues, unless a replay holds it.
  public func removeLocks(isolation: (any Actor)? = #isolation) {
    for lock in locks { lock.release(isolation: isolation) }
  }

  /// Reports the locks that can't be released any more: they are held, have no timeout, and only this flux refers to
  /// them. Each of them is reported once.
  package func reportAbandonedLocks() {
    report(abandoned: queue.decide { $0.locks { FluxLock.isAbandoned(&$0) } })
  }

  func report(abandoned locks: [FluxLock]) {
    for lock in locks {
      report(
        .lockAbandoned,
        "the lock taken at \(lock.fileID):\(lock.line) is held and can't be released any more, since nothing refers to it; keep "
          + "what `lock()` returns, pass a timeout, or use `Flask.withLock`",
        at: lock.location
      )
    }
  }

  /// Removes `lock` from the queue, and performs the operations that are no longer suspended.
  func unlock(_ lock: FluxLock, isolation: (any Actor)?) {
    guard let next = queue.decide({ $0.unlock(lock) }) else { return }
    perform(next, isolation: ActorIdentity(isolation), isOwn: false)
  }
}
