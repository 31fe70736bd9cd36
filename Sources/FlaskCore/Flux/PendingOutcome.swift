@_spi(FlaskInternals) internal import FlaskArchive

/// The outcome of an operation that has not ended: filled once, awaited by any number of tasks.
final class PendingOutcome: Sendable {
  private struct State {
    var outcome: FluxOutcome?
    var waiting: [CheckedContinuation<FluxOutcome, Never>] = []
  }

  private let state = Lock(State())
  /// Counts the operation, if it is an action.
  let tracker: ActionTracker?

  /// The effect that dispatched the operation.
  let run: EffectRun?

  init(tracker: ActionTracker? = nil, run: EffectRun? = nil) {
    self.tracker = tracker
    self.run = run
  }

  var outcomeIfKnown: FluxOutcome? { state.withLock { $0.outcome } }

  var outcome: FluxOutcome {
    get async {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state in
          if state.outcome == nil { state.waiting.append(continuation) }
          return state.outcome
        }
        if let known { continuation.resume(returning: known) }
      }
    }
  }

  func fill(_ outcome: FluxOutcome) {
    let waiting = state.withLock { state in
      state.outcome = outcome
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
    run?.leave()
    tracker?.leave()
  }
}
