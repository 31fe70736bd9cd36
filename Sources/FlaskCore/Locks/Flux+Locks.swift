extension Flux {
  /// The locks that are held, oldest first. Each knows where it was taken.
  public var locks: [FluxLock] { queue.decide { $0.locks.map { $0 } } }

  /// Pauses this flux until the lock is released. An operation in progress is finished first.
  ///
  /// - Parameters:
  ///   - timeout: after that long the lock is released and a fault reported; `nil` waits for ever.
  ///   - clock: what the timeout is measured on.
  public func lock(
    timeout: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxLock {
    let lock = FluxLock(flux: self, isAutoreleasing: false, place: SourcePlace(fileID, line))
    queue.decide { $0.lock(lock) }
    if let timeout { lock.expire(after: timeout, on: clock) }
    return lock
  }

  /// Pauses this flux and performs `mixer` on it, in a lane of its own: before everything that waits, and although it is
  /// paused. The reactions carry the lock as `onLock`, for whoever hears them to release.
  ///
  /// - Parameters:
  ///   - mixer: a case of an enum of global mixers. If no living substance defines it, a fault is reported, since nobody
  ///     would release the lock.
  ///   - payload: handed to the mixer closures.
  ///   - autorelease: whether the lock is released by itself if the mixer changes no key, aborts or fails.
  ///   - timeout: after that long the lock is released and a fault reported; `nil` waits for ever.
  ///   - clock: what the timeout is measured on.
  ///   - isolation: where the caller is; leave it out.
  ///   - fileID: where the lock is said to be taken; leave it out.
  ///   - line: the line in that file; leave it out.
  @available(swift, introduced: 6)
  @discardableResult
  public func lock<M: RawRepresentable>(
    withMixer mixer: M,
    payload: FluxPayload? = nil,
    autorelease: Bool = false,
    timeout: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxLock where M.RawValue == SubstanceMixer {
    let lock = FluxLock(flux: self, isAutoreleasing: autorelease, place: SourcePlace(fileID, line))
    let key = MixerKey(mixer)
    if !autorelease && mixers.substances(defining: key).isEmpty {
      report(
        .lockWithoutListener,
        "the flux is locked with the mixer \(key.name), which no living substance defines, so nobody will release it; "
          + "pass `autorelease: true`, or define the mixer",
        at: lock.place
      )
    }
    let operation = WaitingOperation(
      operation: .mixer(MixerCall(flux: self, key: key, payload: payload)),
      pending: PendingOutcome(),
      lock: lock
    )
    let isAtOnce = queue.decide { $0.lock(lock, with: operation) }
    if let timeout { lock.expire(after: timeout, on: clock) }
    if isAtOnce { perform(operation, isolation: ActorIdentity(isolation)) }
    return lock
  }

  /// Pauses this flux while `body` runs. The lock is released on every way out: return, throw and cancellation.
  ///
  /// Mixes submitted by `body` wait until it has ended; so must not be awaited in it.
  public func withLock<Result>(
    fileID: StaticString = #fileID,
    line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    let lock = lock(fileID: fileID, line: line)
    defer { lock.release() }
    return try await body()
  }

  /// Releases every lock, in the order in which they were taken; the flux goes on.
  public func removeLocks(isolation: (any Actor)? = #isolation) {
    for lock in locks { lock.release(isolation: isolation) }
  }

  /// Takes `lock` off the queue, and performs what may be performed now.
  func unlock(_ lock: FluxLock, isolation: (any Actor)?) {
    if let next = queue.decide({ $0.unlock(lock) }) { perform(next, isolation: ActorIdentity(isolation)) }
  }
}
