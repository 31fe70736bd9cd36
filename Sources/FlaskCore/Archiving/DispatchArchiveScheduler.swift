internal import Dispatch

/// The clock and the timer of archivers by default: the system's clock, which pauses while the system sleeps, and
/// Dispatch's timers.
package struct DispatchArchiveScheduler: ArchiveScheduler {
  /// Makes a scheduler; all are alike.
  package init() {}

  /// The time since the start of the system, without the time that the system has slept.
  package var now: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

  /// Performs `body` on a global queue.
  ///
  /// - Parameters:
  ///   - instant: the instant, in terms of `now`. An instant that is years ahead is never reached.
  ///   - body: the closure to perform.
  package func wake(at instant: Duration, _ body: @escaping @Sendable () -> Void) {
    let deadline = DispatchTime(uptime: instant)
    guard deadline != .distantFuture else { return }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: deadline, execute: body)
  }
}
