internal import Dispatch
internal import FlaskPrimitives

/// Waits, when the process ends normally, until the queued operations of all fluxes have been performed. Archives are
/// saved afterwards.
final class FluxExit: Sendable {
  static let shared = FluxExit()

  /// The interval at which `drain()` checks for progress. If a flux has made none since the last check, its remaining
  /// operations are abandoned.
  static let patience: DispatchTimeInterval = .seconds(1)
  /// The time, from the beginning of `drain()`, for which newly submitted operations are still accepted.
  static let limit: DispatchTimeInterval = .seconds(2)

  private let queues = Lock<[ObjectIdentifier: FluxQueue]>([:])

  private init() {
    ProcessExit.prepare { FluxExit.shared.drain() }
    ProcessExit.close { FluxExit.shared.end() }
  }

  private var all: [FluxQueue] { queues.withLock { Array($0.values) } }

  func add(_ queue: FluxQueue) { queues.withLock { $0[ObjectIdentifier(queue)] = queue } }

  func remove(_ queue: FluxQueue) { queues.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(queue)) } }

  /// Has all fluxes reject further operations, and waits for those that have begun since `drain()`.
  private func end() {
    for queue in all { queue.end(isLast: true) }
    for queue in all { _ = queue.whenIdle()?.wait(timeout: .now() + FluxExit.patience) }
  }

  /// Waits until all fluxes are idle, as long as there is progress. Operations that wait for a lock are lost, and
  /// reported. A flux that is not idle after `limit` accepts no further operations, so that the wait ends.
  func drain() {
    let deadline = DispatchTime.now() + FluxExit.limit
    for queue in all { drain(queue, until: deadline) }
  }

  private func drain(_ queue: FluxQueue, until deadline: DispatchTime) {
    var last: (waiting: Int, epoch: Int)?
    while let done = queue.whenIdle() {
      if !queue.isEnding && .now() >= deadline { queue.end() }
      if done.wait(timeout: .now() + FluxExit.patience) == .success { continue }
      let now = (waiting: queue.decide { $0.waitingCount }, epoch: queue.number)
      if let last, last == now {
        return reportEndless(queue.lossCount)
      }
      last = now
    }
    let waiting = queue.lossCount
    let lock = queue.decide { $0.locks.first }
    let place = lock?.location ?? SourcePlace(#fileID, #line)
    report(waiting, "the lock taken at \(place), and are not performed; release it before", at: place)
  }

  /// Reports an operation that is still in progress, and those that wait for it.
  private func reportEndless(_ count: Int) {
    let advice = "do not call `exit` from inside an operation, nor block one"
    if count > 0 { return report(count, "one that does not end; \(advice)", at: SourcePlace(#fileID, #line)) }
    let message =
      "the process ends during an operation that does not end, and whose changes are lost; \(advice)"
    FaultHandler.report(FlaskFault(.lostAtExit, message, at: SourcePlace(#fileID, #line)))
  }

  private func report(_ count: Int, _ reason: String, at place: SourcePlace) {
    if count == 0 { return }
    let message = "the process ends while operations wait (\(count)) for \(reason)"
    FaultHandler.report(FlaskFault(.lostAtExit, message, at: place))
  }
}

extension FluxQueue {
  /// The number of queued operations whose loss is a fault.
  var lossCount: Int { decide { $0.waitingCount { $0.isLossReported } } }
}
