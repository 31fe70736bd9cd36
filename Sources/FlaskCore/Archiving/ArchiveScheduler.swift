package import Dispatch

/// The clock and the timer of archivers: the system's, or one that a test moves by hand.
public protocol ArchiveScheduler: Sendable {
  /// The time since some moment that stays the same.
  var now: Duration { get }

  /// Performs `body` once, at `instant` or soon after, on any thread, never inside of this call: on another thread it
  /// may begin before this call returns.
  ///
  /// - Parameters:
  ///   - instant: when, in terms of `now`.
  ///   - body: what to perform; short.
  func wake(at instant: Duration, _ body: @escaping @Sendable () -> Void)
}

/// The system's clock, which stands still while the system sleeps, and Dispatch's timers.
public struct DispatchArchiveScheduler: ArchiveScheduler {
  /// Makes a scheduler; all are alike.
  public init() {}

  /// The time since the system was started, without sleep.
  public var now: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

  /// Performs `body` on a global queue.
  ///
  /// - Parameters:
  ///   - instant: when, in terms of `now`. What lies years ahead never comes.
  ///   - body: what to perform.
  public func wake(at instant: Duration, _ body: @escaping @Sendable () -> Void) {
    let deadline = DispatchTime(uptime: instant)
    guard deadline != .distantFuture else { return }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: deadline, execute: body)
  }
}

extension DispatchTime {
  /// The moment that long after the system was started; the distant future if that is more than a century.
  package init(uptime: Duration) {
    let (seconds, attoseconds) = uptime.components
    let nanoseconds = UInt64(max(0, seconds)) &* 1_000_000_000 &+ UInt64(max(0, attoseconds) / 1_000_000_000)
    self = seconds < 1 << 32 ? DispatchTime(uptimeNanoseconds: nanoseconds) : .distantFuture
  }
}
