@_spi(FlaskInternals) internal import FlaskArchive

/// Where faults go: a handler that can be replaced at any time, from any thread.
final class FaultHandler: Sendable {
  typealias Handler = @Sendable (FlaskFault) -> Void

  /// The handler behind `Flask.onFault`.
  static let shared = FaultHandler(StandardErrorFaults.report)

  private let handler: Lock<Handler?>

  init(_ handler: Handler?) { self.handler = Lock(handler) }

  var current: Handler? {
    get { handler.withLock { $0 } }
    set {
      // The old handler is let go of after the lock: that may run a `deinit` of the user's.
      let old = handler.withLock { handler in
        defer { handler = newValue }
        return handler
      }
      withExtendedLifetime(old) {}
    }
  }
}
