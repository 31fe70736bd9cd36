/// Observes each operation of a flux: each commit before its listeners are notified, and the operation as a whole at
/// its end.
///
/// While the operation is in progress, all functions are called on the performing thread, and no lock is held:
/// operations that a tracer submits wait. The exceptions are `didWait`, and `didEnd` of a dropped operation. A tracer
/// must not keep its borrowed arguments.
package protocol FluxTracer: AnyObject, Sendable {
  /// Whether the tracer wants `didCommit` to be called.
  var wantsCommits: Bool { get }
  /// Whether the tracer wants `didBegin` to be called.
  var wantsBeginnings: Bool { get }
  /// Called when an operation begins, if `wantsBeginnings`. The number, the identity and the submission of the
  /// operation are set.
  func didBegin(_ operation: borrowing TracedOperation)
  /// Called when a substance has a new state, before its listeners are notified.
  func didCommit(_ commit: borrowing TracedCommit, in operation: borrowing TracedOperation)
  /// An operation has ended, or was dropped.
  func didEnd(_ operation: borrowing TracedOperation)
  /// Called when an operation was queued, on the submitting thread.
  func didWait(_ operation: OperationIdentity, _ submission: OperationSubmission, in flux: Flux)
}

extension FluxTracer {
  package var wantsCommits: Bool { false }
  package var wantsBeginnings: Bool { false }
  package func didBegin(_ operation: borrowing TracedOperation) {}
  package func didCommit(_ commit: borrowing TracedCommit, in operation: borrowing TracedOperation) {}
  package func didWait(_ operation: OperationIdentity, _ submission: OperationSubmission, in flux: Flux) {}
}
