@_spi(FlaskInternals) internal import FlaskArchive
internal import Synchronization

/// The queue of a flux, shared by all threads: `FluxQueueState` decides, and this sees to it that one thread at a time asks it.
///
/// An operation that nobody disturbs never gets that far: it takes the flux with one atomic instruction and gives it back
/// with another (two locks saved, a tenth of a mix). Whoever does more than that, in the middle of such an operation or not, takes
/// the lock and tells the state of it; from there on everybody takes the lock, until the flux is idle again.
final class FluxQueue: Sendable {
  private struct Guarded {
    var state = FluxQueueState<WaitingOperation, FluxLock>()
    /// What the operation in progress may still be using.
    var retired: [AnyObject] = []
  }

  /// Who knows what goes on.
  private enum Phase {
    /// Nothing goes on, and the state knows.
    static var idle: UInt8 { 0 }
    /// One operation goes on; the state takes the flux to be idle.
    static var alone: UInt8 { 1 }
    /// The state knows everything.
    static var managed: UInt8 { 2 }
  }

  private let phase = Atomic<UInt8>(Phase.idle)
  private let guarded = Lock(Guarded())

  /// True, and busy from here on, if an operation can be performed at once by the caller and the state need not know.
  @inline(__always)
  func beginAlone() -> Bool {
    phase.compareExchange(
      expected: Phase.idle,
      desired: Phase.alone,
      successOrdering: .acquiring,
      failureOrdering: .relaxed
    ).exchanged
  }

  /// Ends the operation that began alone, if nobody came meanwhile. If this says no, `finish()` ends it.
  @inline(__always)
  func finishAlone() -> Bool {
    phase.compareExchange(
      expected: Phase.alone,
      desired: Phase.idle,
      successOrdering: .releasing,
      failureOrdering: .relaxed
    ).exchanged
  }

  /// Ends the operation in progress; returns the one that the caller is to perform next, `nil` if there is none.
  func finish() -> WaitingOperation? {
    if finishAlone() { return nil }
    // Released after the lock, since that may run a `deinit` of the user's.
    var retired: [AnyObject] = []
    let next = guarded.withLock { guarded in
      swap(&retired, &guarded.retired)
      defer { unmanage(guarded) }
      return guarded.state.finish()
    }
    withExtendedLifetime(retired) {}
    return next
  }

  /// Asks the state.
  func decide<Result>(_ body: (inout FluxQueueState<WaitingOperation, FluxLock>) -> Result) -> Result {
    guarded.withLock { guarded in
      manage(&guarded)
      defer { unmanage(guarded) }
      return body(&guarded.state)
    }
  }

  /// Calls `body`, under the lock of the queue, with whether an operation is in progress. What it returns is released now if there is
  /// none, else when that operation has ended.
  func exchange(_ body: (_ isBusy: Bool) -> AnyObject?) {
    let old: AnyObject? = guarded.withLock { guarded in
      manage(&guarded)
      defer { unmanage(guarded) }
      guard let old = body(guarded.state.isBusy) else { return nil }
      guard guarded.state.isBusy else { return old }
      guarded.retired.append(old)
      return nil
    }
    withExtendedLifetime(old) {}
  }

  /// From here on the state knows everything.
  private func manage(_ guarded: inout Guarded) {
    if phase.exchange(Phase.managed, ordering: .acquiringAndReleasing) == Phase.alone {
      _ = guarded.state.beginAtOnce()
    }
  }

  private func unmanage(_ guarded: borrowing Guarded) {
    if guarded.state.isIdle { phase.store(Phase.idle, ordering: .releasing) }
  }
}
