/// The workers of a dispatcher in their order: higher priorities first, and of one priority those that came first.
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

  /// Removes `worker`; false if it was not there.
  mutating func remove(_ worker: any FluxWorker) -> Bool {
    guard let index = entries.firstIndex(where: { $0.worker === worker }) else { return false }
    entries.remove(at: index)
    return true
  }
}

/// A worker and the one after it: walked without counting a reference for each, as the elements of an array are, since
/// nothing in it ever changes.
final class WorkerLink: Sendable {
  let worker: any FluxWorker
  let next: WorkerLink?
  /// Whether the types that it answers are unknown.
  let isOpaque: Bool

  init(_ worker: any FluxWorker, next: WorkerLink?) {
    self.worker = worker
    self.next = next
    isOpaque = !(worker is any AnsweringWorker)
  }
}

/// A worker of Flask's, which says itself whether it has answered an action.
protocol AnsweringWorker: FluxWorker {}
