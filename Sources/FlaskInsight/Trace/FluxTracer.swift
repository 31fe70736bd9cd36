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
  /// An operation begins. It has its number, its identity and its submission. The call is made only if
  /// `wantsBeginnings`.
  func didBegin(_ operation: borrowing TracedOperation)
  /// A substance has a new state, and its listeners have not been notified.
  func didCommit(_ commit: borrowing TracedCommit, in operation: borrowing TracedOperation)
  /// An operation has ended, or was dropped.
  func didEnd(_ operation: borrowing TracedOperation)
  /// An operation has to wait. The submitting thread makes this call.
  func didWait(_ operation: OperationIdentity, _ submission: OperationSubmission, in flux: Flux)
}

extension FluxTracer {
  package var wantsCommits: Bool { false }
  package var wantsBeginnings: Bool { false }
  package func didBegin(_ operation: borrowing TracedOperation) {}
  package func didCommit(_ commit: borrowing TracedCommit, in operation: borrowing TracedOperation) {}
  package func didWait(_ operation: OperationIdentity, _ submission: OperationSubmission, in flux: Flux) {}
}
