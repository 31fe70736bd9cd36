import Dispatch

/// An executor on a queue of its own, which knows whether it is the current one.
package final class QueueExecutor: SerialExecutor {
  private static let key = DispatchSpecificKey<ObjectIdentifier>()
  private let queue = DispatchQueue(label: "QueueExecutor")

  package init() { queue.setSpecific(key: QueueExecutor.key, value: ObjectIdentifier(self)) }

  package var isCurrent: Bool { DispatchQueue.getSpecific(key: QueueExecutor.key) == ObjectIdentifier(self) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func checkIsolated() { precondition(isCurrent, "not on the queue of the actor") }
}

/// An actor that can be asked, without a trap, whether the running code is in it.
package actor QueueRoom {
  package nonisolated let executor = QueueExecutor()
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  package init() {}

  package func perform(_ body: @Sendable (isolated QueueRoom) async -> Void) async { await body(self) }
}
