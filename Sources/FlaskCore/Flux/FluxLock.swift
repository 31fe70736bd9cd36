internal import FlaskPrimitives

/// A lock that pauses a flux: while at least one lock is held, operations that came without a lock wait.
///
/// It is made by `Flask.lock()` and similar functions. The flux retains the lock until it is released; letting the
/// variable go out of scope releases nothing. The lock stores the source location at which it was taken.
public final class FluxLock: Sendable, CustomStringConvertible {
  /// The context that `release(_:)` passes to `onRelease`.
  public typealias Context = any Sendable

  private enum Phase {
    case held
    case released(Context?)
  }

  /// The locks that the running task holds by `withLock`, the innermost last. A task inherits the locks that were held
  /// where it was started.
  @TaskLocal static var heldByTask: [HeldByTask] = []

  struct HeldByTask: Sendable {
    let lock: FluxLock
    /// The task that holds the lock. A task that is started inside of `withLock` inherits the task-local list of locks,
    /// but does not hold the locks.
    private let task = RunningTask()

    init(_ lock: FluxLock) { self.lock = lock }

    var isHeldHere: Bool { task.isCurrent }
  }

  private struct State {
    var phase = Phase.held
    var onRelease: (@Sendable (Context?) -> Void)?
    var timeout: Task<Void, Never>?
    var isAbandoned = false
  }

  /// The flux that it pauses.
  public let flux: Flux
  /// The file in which the lock was taken, as `#fileID`.
  public var fileID: String { location.fileID ?? "unknown" }
  /// The line in `fileID`.
  public var line: UInt { location.line }

  package let location: SourcePlace
  /// The time at which the lock was taken, in nanoseconds of the system's monotonic clock.
  package let taken = OperationSubmission.now
  private let isAutoreleasing: Bool
  /// Whether the lock holds the flux for a replay. Then only the end of the replay releases it.
  private let isOfReplay: Bool
  /// The object that identifies the origin of operations that the holding task submits; see `Flux.marking`.
  let mark: (any AnyObject & Sendable)?
  private let state = Lock(State())

  init(
    flux: Flux,
    isAutoreleasing: Bool,
    isOfReplay: Bool = false,
    mark: (any AnyObject & Sendable)? = nil,
    location: SourcePlace
  ) {
    self.flux = flux
    self.isAutoreleasing = isAutoreleasing
    self.isOfReplay = isOfReplay
    self.mark = mark
    self.location = location
  }

  /// `true` until the lock is released.
  public var isHeld: Bool {
    state.withLock { state in
      if case .held = state.phase { true } else { false }
    }
  }

  /// Called once when the lock is released, on the releasing thread, before the flux continues. The argument is the
  /// context that was passed to `release(_:)`. A closure that is set after the release is called at once.
  @preconcurrency
  public var onRelease: (@Sendable (Context?) -> Void)? {
    get { state.withLock { $0 }.onRelease }
    set {
      // The previous closure is released after `state` is unlocked, since its release may run a `deinit` of client
      // code.
      let (phase, old) = state.withLock { state in
        let old = state.onRelease
        if case .held = state.phase { state.onRelease = newValue }
        return (state.phase, old)
      }
      withExtendedLifetime(old) {}
      if case .released(let context) = phase { newValue?(context) }
    }
  }

  /// Releases the lock. If no other lock is held, the flux continues: the calling thread performs queued operations
  /// before this function returns, unless another thread performs them. Idempotent. It may be called on any thread.
  ///
  /// The lock of a replay is released only by the end of the replay; this function has no effect on it.
  public func release(_ context: Context? = nil, isolation: (any Actor)? = #isolation) {
    if !isOfReplay { releaseForGood(context, isolation: isolation) }
  }

  /// `release(_:)`, for a replay that ends.
  package func endReplay(isolation: (any Actor)?) { releaseForGood(nil, isolation: isolation) }

  private func releaseForGood(_ context: Context?, isolation: (any Actor)?) {
    guard let onRelease = end(context) else { return }
    onRelease(context)
    flux.unlock(self, isolation: isolation)
  }

  /// Marks the lock as released.
  ///
  /// - Returns: the closure to call on release; `nil` if the lock was released before.
  func end(_ context: Context?) -> ((Context?) -> Void)? {
    let before = state.withLock { state in
      defer {
        if case .held = state.phase { state.phase = .released(context) }
        state.onRelease = nil
        state.timeout = nil
      }
      return state
    }
    guard case .held = before.phase else { return nil }
    before.timeout?.cancel()
    if let onRelease = before.onRelease { return onRelease }
    return { _ in }
  }

  /// Whether the lock is abandoned: only the flux retains the lock, so that no client can release it, and it has no
  /// timeout. The result is `true` only once for each lock.
  static func isAbandoned(_ lock: inout FluxLock) -> Bool {
    guard isKnownUniquelyReferenced(&lock) else { return false }
    return lock.state.withLock { state in
      if state.timeout != nil || state.isAbandoned { return false }
      state.isAbandoned = true
      return true
    }
  }

  /// Called after the operation that came with this lock was performed. Releases an autoreleasing lock if that
  /// operation has changed nothing.
  func operationDidEnd(with result: OperationResult) {
    if isAutoreleasing && !result.isCommitted { release(isolation: nil) }
  }

  /// Releases the lock and reports a fault if it is still held after `timeout`.
  func expire(after timeout: Duration, on clock: any Clock<Duration>) {
    let task = Task(executorPreference: flux.environment?.executor) { [weak self] in
      do { try await clock.sleepAtMost(for: timeout) } catch { return }
      guard let self, self.isHeld else { return }
      self.flux.report(
        .lockTimedOut,
        "the lock taken at \(self.fileID):\(self.line) was held for longer than \(timeout) and has been released; "
          + "call `release()` on every way out, or use `Flask.withLock`",
        at: self.location
      )
      self.release()
    }
    let isLate = state.withLock { state in
      guard case .held = state.phase else { return true }
      state.timeout = task
      return false
    }
    if isLate { task.cancel() }
  }

  /// The source location at which the lock was taken, and whether it is held.
  public var description: String { "FluxLock(\(fileID):\(line), \(isHeld ? "held" : "released"))" }
}

extension FluxLock: Hashable {
  /// Identity.
  public static func == (left: FluxLock, right: FluxLock) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Clock<Duration> {
  /// Sleeps for `duration`, or for a hundred years if that is shorter: the system's clocks trap where the sum of
  /// seconds overflows.
  package func sleepAtMost(for duration: Duration) async throws {
    try await sleep(for: Swift.min(duration, .seconds(3_155_760_000)))
  }
}
