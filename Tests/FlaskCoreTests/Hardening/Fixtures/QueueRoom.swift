import Foundation

/// An executor on a queue of its own, which knows whether it is the current one.
final class QueueExecutor: SerialExecutor {
  private static let key = DispatchSpecificKey<ObjectIdentifier>()
  private let queue = DispatchQueue(label: "QueueExecutor")

  init() { queue.setSpecific(key: QueueExecutor.key, value: ObjectIdentifier(self)) }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: QueueExecutor.key) == ObjectIdentifier(self) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { precondition(isCurrent, "not on the queue of the actor") }
}

/// An actor that can be asked, without a trap, whether the running code is in it.
actor QueueRoom {
  nonisolated let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func perform(_ body: @Sendable (isolated QueueRoom) async -> Void) async { await body(self) }
}
