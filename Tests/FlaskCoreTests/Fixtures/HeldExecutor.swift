import FlaskPrimitives
import Foundation
import TestSupport

/// An executor that performs what it is handed only when it is told to: an actor that is busy.
///
/// `@unchecked Sendable`: everything mutable is touched under `lock` only.
final class HeldExecutor: SerialExecutor, @unchecked Sendable {
  private let lock = NSLock()
  private var jobs: [UnownedJob] = []
  private var waiting: (count: Int, signal: Signal)?
  private var enqueued: [TaskPriority] = []

  /// The priorities of what it was handed so far.
  var priorities: [TaskPriority] { lock.withLock { enqueued } }

  func enqueue(_ job: consuming ExecutorJob) {
    let priority = TaskPriority(rawValue: job.priority.rawValue)
    let job = UnownedJob(job)
    let signal = lock.withLock { () -> Signal? in
      jobs.append(job)
      enqueued.append(priority)
      guard let waiting, enqueued.count >= waiting.count else { return nil }
      return waiting.signal
    }
    signal?.fire()
  }

  /// Returns when it has been handed that many jobs in all.
  func enqueued(_ count: Int) async {
    let signal = Signal()
    let isThere = lock.withLock {
      waiting = (count, signal)
      return enqueued.count >= count
    }
    if !isThere { await signal.wait() }
  }

  /// Performs what it has been handed, on the calling thread.
  func perform() {
    let jobs = lock.withLock {
      defer { self.jobs = [] }
      return self.jobs
    }
    for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}

/// An actor that is busy until its executor is told to perform.
actor HeldRoom {
  nonisolated let executor = HeldExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
