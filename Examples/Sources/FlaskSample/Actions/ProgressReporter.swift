import Flask

/// Shows how many lines have been read, ten times a second at most.
final class ProgressReporter: FluxMiddleware, @unchecked Sendable {
  static let effect = "progress"

  init(show: @escaping @MainActor @Sendable (String) -> Void) {
    super.init()
    registerEffect(for: LinesRead.self, id: Self.effect, pace: .throttle(.milliseconds(100))) {
      @MainActor action, _ in
      // Cancelled on this actor, so nothing is shown behind the summary.
      if !Task.isCancelled { show("\(action.count) lines read") }
    }
  }
}
