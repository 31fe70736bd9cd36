/// The workers of a dispatcher in the order in which they are asked: higher priorities first, and within one priority
/// the order of registration.
struct WorkerList {
  private var entries: [(worker: any FluxWorker, priority: Int)] = [] {
    didSet { first = entries.reversed().reduce(nil) { WorkerLink($1.worker, next: $0) } }
  }
  /// The workers of the entries, linked.
  private(set) var first: WorkerLink?

  var inOrder: [any FluxWorker] { entries.map(\.worker) }

  func contains(_ worker: any FluxWorker) -> Bool { entries.contains { $0.worker === worker } }

  mutating func add(_ worker: any FluxWorker, priority: Int) {
    let index = entries.firstIndex { $0.priority < priority } ?? entries.count
    entries.insert((worker, priority), at: index)
  }

  /// Removes `worker`; the result is false if the list did not contain it.
  mutating func remove(_ worker: any FluxWorker) -> Bool {
    guard let index = entries.firstIndex(where: { $0.worker === worker }) else { return false }
    entries.remove(at: index)
    return true
  }
}

/// A worker, with a reference to the next worker. Unlike an array, the list is walked without counting a reference for
/// each worker, since its nodes never change.
final class WorkerLink: Sendable {
  let worker: any FluxWorker
  let next: WorkerLink?
  /// True if the worker is not an `AnsweringWorker`. It is then unknown whether the worker answers an action, so each
  /// action that reaches the worker counts as answered.
  let isOpaque: Bool

  init(_ worker: any FluxWorker, next: WorkerLink?) {
    self.worker = worker
    self.next = next
    isOpaque = !(worker is any AnsweringWorker)
  }
}

/// A worker that reports whether it has answered an action: a store, a reactive substance or a middleware.
protocol AnsweringWorker: FluxWorker {}
