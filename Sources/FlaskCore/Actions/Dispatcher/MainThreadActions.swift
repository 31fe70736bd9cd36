internal import Dispatch

/// Actions on their way to the main thread, in the order in which they were dispatched.
final class MainThreadActions: Sendable {
  private struct Waiting: Sendable {
    let operation: ActionOperation
    let flux: Flux
    let pending: PendingOutcome
    /// What it was dispatched by, if the flux was traced.
    let cause: OperationCause?
  }

  private let mailbox = Mailbox<Waiting>()

  /// Submits an action on the main thread: now, after those that wait, if that is the running thread; else later.
  func submit(_ operation: ActionOperation, to flux: Flux) -> FluxReceipt {
    if MainThread.isCurrent {
      submitWaiting()
      return flux.submit(operation, isolation: .main)
    }
    let tracker = ActionTracker()
    var operation = operation
    operation.tracker = tracker
    let pending = PendingOutcome(of: flux, followUp: ActionFollowUp(tracker: tracker))
    let cause = flux.queue.isTraced ? flux.tracing.causeHere : nil
    let waiting = Waiting(operation: operation, flux: flux, pending: pending, cause: cause)
    let isFirst = mailbox.post(waiting)
    if isFirst { DispatchQueue.main.async { self.submitWaiting() } }
    return FluxReceipt(pending)
  }

  private func submitWaiting() {
    while let next = mailbox.next() {
      next.flux.tracing.causing(next.cause) {
        _ = next.flux.submit(next.operation, promised: next.pending, isolation: .main)
      }
    }
  }
}
