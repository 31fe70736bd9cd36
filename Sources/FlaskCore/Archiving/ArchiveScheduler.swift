package import Dispatch

/// The clock and the timer of archivers: the system's, or a test's, which is advanced by hand.
public protocol ArchiveScheduler: Sendable {
  /// The time since a fixed moment in the past.
  var now: Duration { get }

  /// Performs `body` once, at `instant` or soon after, on any thread. The closure is never called from within this
  /// function, but on another thread it may start before this function returns.
  ///
  /// - Parameters:
  ///   - instant: the time at which `body` is due, on the clock of `now`.
  ///   - body: the closure to perform; it must be short.
  func wake(at instant: Duration, _ body: @escaping @Sendable () -> Void)
}

extension DispatchTime {
  /// The time `uptime` after the start of the system; the distant future if that is more than a century.
  package init(uptime: Duration) {
    let (seconds, attoseconds) = uptime.components
    let nanoseconds = UInt64(max(0, seconds)) &* 1_000_000_000 &+ UInt64(max(0, attoseconds) / 1_000_000_000)
    self = seconds < 1 << 32 ? DispatchTime(uptimeNanoseconds: nanoseconds) : .distantFuture
  }
}
