internal import Dispatch
internal import FlaskPrimitives

/// The groups of the process, which save what is pending at a normal end of the process.
enum GroupExit {
  private struct Entry: Sendable {
    weak var worker: GroupWorker?
  }

  private static let entries = Lock<[Entry]>([])

  /// Registered at the first use.
  private static let handler: Void = ProcessExit.finish {
    let workers = entries.withLock { $0.compactMap(\.worker) }
    let group = DispatchGroup()
    for worker in workers { worker.saveAtExit(group) }
    _ = group.wait(timeout: .now() + 5)
    for worker in workers { worker.reportPendingAtExit() }
  }

  static func add(_ worker: GroupWorker) {
    _ = handler
    entries.withLock { entries in
      entries.removeAll { $0.worker == nil }
      entries.append(Entry(worker: worker))
    }
  }
}
