/// The handle of work that lives as long as a piece of state. It need not be kept.
///
/// Work ends with the state that it belongs to, with `end()`, and with its substance, whichever comes first. The end is
/// part of the commit: no operation that the work submits is performed after it, whatever thread the work is on, and
/// however long it takes to notice. The receipts of these operations say `cancelled`, a transaction that waits throws
/// `CancellationError`, and locks that the work holds are released. Its task is cancelled. Child tasks belong to the
/// work, and so do tasks that it starts by `Task { … }`. A detached task does not.
///
/// Reactions to the work's operations, and effects of middleware, are not the work's.
///
/// Work does not retain its substance, and neither does the scope that it is passed. The substance retains the closure
/// of the work until `end()`, whether it runs or not: capture the substance weakly. A closure that captures it strongly
/// keeps it alive until then.
///
/// Work that other work registers ends with that, too.
public final class FluxWork: Sendable {
  private let work: any LastingWork

  init(_ work: any LastingWork) { self.work = work }

  /// Whether the closure of the work is running. Of the work of several members: whether any of them is.
  public var isRunning: Bool { work.isRunning }

  /// Ends the work for good. When the call has returned, no operation of the work is performed any more; an operation
  /// in progress continues. Idempotent. May be called on any thread, by the work itself, too.
  public func end() { work.end() }
}

/// Work in all its runs.
protocol LastingWork: EndsWithRun {
  var isRunning: Bool { get }
}
