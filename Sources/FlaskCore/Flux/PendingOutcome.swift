@_spi(FlaskInternals) internal import FlaskArchive
internal import Synchronization

/// The outcome of an operation that has not ended: filled once, awaited by any number of tasks.
///
/// Under contention there is one for each operation, and hardly any is ever awaited: so it has no lock of its own, and none is taken
/// unless somebody waits.
///
/// `@unchecked Sendable`: `result` is written once, before `phase` says so, and read after; `waiting` is touched under `lock`.
final class PendingOutcome: @unchecked Sendable {
  private enum Phase {
    static var unknown: UInt8 { 0 }
    /// Unknown, and somebody waits for it.
    static var awaited: UInt8 { 1 }
    static var known: UInt8 { 2 }
  }

  /// One for all of them.
  private static let lock = Lock(())

  private let phase = Atomic<UInt8>(Phase.unknown)
  private var result = OperationResult.unchanged
  private var waiting: [CheckedContinuation<FluxOutcome, Never>] = []
  /// Counts the operation, if it is an action.
  let tracker: ActionTracker?

  /// The effect that dispatched the operation.
  let run: EffectRun?

  init(tracker: ActionTracker? = nil, run: EffectRun? = nil) {
    self.tracker = tracker
    self.run = run
  }

  var outcomeIfKnown: FluxOutcome? {
    phase.load(ordering: .acquiring) == Phase.known ? result.outcome : nil
  }

  var outcome: FluxOutcome {
    get async {
      if let outcomeIfKnown { return outcomeIfKnown }
      return await withCheckedContinuation { continuation in
        let isKnown = PendingOutcome.lock.withLock { _ in
          let (_, before) = phase.compareExchange(
            expected: Phase.unknown,
            desired: Phase.awaited,
            ordering: .acquiringAndReleasing
          )
          if before == Phase.known { return true }
          waiting.append(continuation)
          return false
        }
        if isKnown { continuation.resume(returning: result.outcome) }
      }
    }
  }

  /// To be called once.
  func fill(_ result: consuming OperationResult) {
    self.result = result
    if phase.exchange(Phase.known, ordering: .acquiringAndReleasing) == Phase.awaited { resume() }
    run?.leave()
    tracker?.leave()
  }

  private func resume() {
    let waiting = PendingOutcome.lock.withLock { _ in
      defer { self.waiting = [] }
      return self.waiting
    }
    for continuation in waiting { continuation.resume(returning: result.outcome) }
  }
}
