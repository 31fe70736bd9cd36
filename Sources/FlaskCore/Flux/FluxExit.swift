internal import Dispatch
internal import FlaskPrimitives

/// Sees to it that what was accepted is performed when the process ends normally, before archives are saved.
final class FluxExit: Sendable {
  static let shared = FluxExit()

  /// How long nothing may happen before the rest is given up.
  static let patience: DispatchTimeInterval = .seconds(1)

  private let queues = Lock<[ObjectIdentifier: FluxQueue]>([:])

  private init() { ProcessExit.prepare { FluxExit.shared.drain() } }

  func add(_ queue: FluxQueue) { queues.withLock { $0[ObjectIdentifier(queue)] = queue } }

  func remove(_ queue: FluxQueue) { queues.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(queue)) } }

  /// Waits until no flux performs anything and nothing waits, but for what waits for a lock; for as long as there is
  /// progress.
  func drain() {
    for queue in queues.withLock({ Array($0.values) }) { drain(queue) }
  }

  private func drain(_ queue: FluxQueue) {
    var last: (waiting: Int, epoch: Int)?
    while let done = queue.whenIdle() {
      if done.wait(timeout: .now() + FluxExit.patience) == .success { continue }
      let now = (waiting: queue.decide { $0.waitingCount }, epoch: queue.number)
      if let last, last == now {
        if now.waiting > 0 { report(now.waiting) }
        return
      }
      last = now
    }
  }

  private func report(_ count: Int) {
    FaultHandler.shared.handler(
      FlaskFault(
        .lostAtExit,
        "the process ends while \(count) operations wait for one that does not end; "
          + "do not call `exit` from inside an operation, nor block one",
        at: SourceLocation(#fileID, #line)
      )
    )
  }
}
