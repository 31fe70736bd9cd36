internal import FlaskPrimitives

/// A clock that a test advances by hand, and timers that follow it.
///
/// Any thread may use it.
public final class ManualArchiveScheduler: ArchiveScheduler {
  private struct Timers {
    var now = Duration.zero
    var sleeping: [(instant: Duration, body: @Sendable () -> Void)] = []
  }

  private let timers = Lock(Timers())

  /// Makes a clock that shows zero.
  public init() {}

  /// Where the clock stands.
  public var now: Duration { timers.withLock { $0.now } }

  /// Keeps `body` until the clock is advanced to `instant` or beyond, and then performs it.
  ///
  /// - Parameters:
  ///   - instant: the time at which to perform the closure.
  ///   - body: the closure.
  public func wake(at instant: Duration, _ body: @escaping @Sendable () -> Void) {
    timers.withLock { $0.sleeping.append((instant, body)) }
  }

  /// Advances the clock, and performs the closures that fall due, in order and on the calling thread. During each
  /// closure the clock shows the instant for which it was scheduled, or the present time if that is later.
  ///
  /// - Parameter duration: by how much.
  public func advance(by duration: Duration) {
    let end = now + duration
    while let body = takeNext(until: end) { body() }
    timers.withLock { $0.now = max($0.now, end) }
  }

  private func takeNext(until end: Duration) -> (@Sendable () -> Void)? {
    timers.withLock { timers in
      let due = timers.sleeping.enumerated().filter { $0.element.instant <= end }
      guard let next = due.min(by: { $0.element.instant < $1.element.instant }) else { return nil }
      timers.now = max(timers.now, next.element.instant)
      return timers.sleeping.remove(at: next.offset).body
    }
  }
}
