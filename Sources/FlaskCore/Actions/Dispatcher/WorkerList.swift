/// The workers of a dispatcher in their order: higher priorities first, and of one priority those that came first.
struct WorkerList {
  private struct Entry {
    let worker: any FluxWorker
    let priority: Int
  }

  private var entries: [Entry] = []
  private(set) var inOrder: [any FluxWorker] = []
  /// The same, linked.
  private(set) var first: WorkerLink?

  func contains(_ worker: any FluxWorker) -> Bool { entries.contains { $0.worker === worker } }

  mutating func add(_ worker: any FluxWorker, priority: Int) {
    let index = entries.firstIndex { $0.priority < priority } ?? entries.count
    entries.insert(Entry(worker: worker, priority: priority), at: index)
    update()
  }

  /// Removes `worker`; false if it was not there.
  mutating func remove(_ worker: any FluxWorker) -> Bool {
    guard let index = entries.firstIndex(where: { $0.worker === worker }) else { return false }
    entries.remove(at: index)
    update()
    return true
  }

  private mutating func update() {
    inOrder = entries.map(\.worker)
    first = WorkerLink.chain(inOrder)
  }
}
