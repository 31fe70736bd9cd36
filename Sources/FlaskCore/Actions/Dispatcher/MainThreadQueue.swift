internal import Dispatch
@_spi(FlaskInternals) internal import FlaskArchive

/// Actions on their way to the main thread, in the order in which they were dispatched.
final class MainThreadQueue: Sendable {
  private struct Waiting: Sendable {
    let call: ActionCall
    let flux: Flux
    let pending: PendingOutcome
  }

  private struct State {
    var waiting = FirstInFirstOut<Waiting>()
    var isScheduled = false
  }

  private let state = Lock(State())

  /// Submits an action on the main thread: now, after those that wait, if that is the running thread; else later.
  func submit(_ call: ActionCall, to flux: Flux) -> FluxReceipt {
    if MainThread.isCurrent {
      submitWaiting()
      return flux.submit(call, isolation: ActorIdentity(MainActor.shared))
    }
    let tracker = ActionTracker()
    var call = call
    call.tracker = tracker
    let waiting = Waiting(call: call, flux: flux, pending: PendingOutcome(tracker: tracker))
    let mustSchedule = state.withLock { state in
      state.waiting.append(waiting)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { DispatchQueue.main.async { self.submitWaiting() } }
    return FluxReceipt(waiting.pending)
  }

  private func submitWaiting() {
    while let next = state.withLock({ state in
      let next = state.waiting.popFirst()
      if next == nil { state.isScheduled = false }
      return next
    }) {
      _ = next.flux.submit(next.call, promised: next.pending, isolation: ActorIdentity(MainActor.shared))
    }
  }
}
