internal import FlaskPrimitives

/// The groups of the process, which save what is pending at a normal end of the process.
enum GroupExit {
  private struct Entry: Sendable {
    weak var worker: GroupWorker?
  }

  private static let entries = Lock<[Entry]>([])

  /// Registered at the first use.
  private static let handler: Void = ProcessExit.finish {
    for worker in entries.withLock({ $0.compactMap(\.worker) }) { worker.saveAtExit() }
  }

  static func add(_ worker: GroupWorker) {
    _ = handler
    entries.withLock { entries in
      entries.removeAll { $0.worker == nil }
      entries.append(Entry(worker: worker))
    }
  }
}
