/// The clock and the timer of archivers: the system's, or one that a test moves by hand.
public protocol ArchiveScheduler: Sendable {
  /// The time since some moment that stays the same.
  var now: Duration { get }

  /// Performs `body` once, at `instant` or soon after, on any thread, never before this call returns.
  ///
  /// - Parameters:
  ///   - instant: when, in terms of `now`.
  ///   - body: what to perform; short.
  func wake(at instant: Duration, _ body: @escaping @Sendable () -> Void)
}
