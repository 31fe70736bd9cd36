internal import Dispatch
internal import FlaskPrimitives

/// The queue of actions for the main thread, in the order in which they were dispatched.
final class MainThreadActions: Sendable {
  /// An action that waits for the main thread. `cause` is the cause of its dispatch, if the flux is traced.
  private typealias Waiting = (operation: FluxOperation, flux: Flux, cause: OperationCause?)

  private let state = Lock((waiting: FIFOQueue<Waiting>(), isScheduled: false))

  /// Submits an action on the main thread, after the queued actions: now if the caller runs on the main thread,
  /// otherwise later.
  func submit(_ operation: ActionOperation, to flux: Flux) -> FluxReceipt {
    if MainThread.isCurrent {
      submitWaiting()
      return flux.submit(operation, isolation: .main)
    }
    // The new action gets a separate tracker. Otherwise an action that this thread is performing would count the new
    // action as its own work.
    let tracker = ActionTracker()
    var operation = operation
    operation.tracker = tracker
    let submitted = operation.submitted(to: flux)
    tracker.leave()
    let cause = flux.tracing?.causeHere
    let mustSchedule = state.withLock { state in
      defer { state.isScheduled = true }
      state.waiting.append((submitted, flux, cause))
      return !state.isScheduled
    }
    if mustSchedule { DispatchQueue.main.async { self.submitWaiting() } }
    return FluxReceipt(submitted)
  }

  private func submitWaiting() {
    while let next = next() {
      next.flux.causing(next.cause) {
        _ = next.flux.submit(next.operation, isolation: .main)
      }
    }
  }

  private func next() -> Waiting? {
    state.withLock { state in
      let next = state.waiting.popFirst()
      state.isScheduled = next != nil
      return next
    }
  }
}
