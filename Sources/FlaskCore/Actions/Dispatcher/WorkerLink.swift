/// A worker and the one after it: walked without counting a reference for each, as the elements of an array are, since nothing in it
/// ever changes.
final class WorkerLink: Sendable {
  let worker: any FluxWorker
  let next: WorkerLink?

  init(_ worker: any FluxWorker, next: WorkerLink?) {
    self.worker = worker
    self.next = next
  }

  /// A chain of workers in their order.
  static func chain(_ workers: some BidirectionalCollection<any FluxWorker>) -> WorkerLink? {
    workers.reversed().reduce(nil) { next, worker in WorkerLink(worker, next: next) }
  }
}
