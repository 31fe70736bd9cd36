import Flask

/// Shows how many lines have been read, ten times a second at most.
final class ProgressReporter: FluxMiddleware, @unchecked Sendable {
  static let effect = "progress"

  init(screen: Screen) {
    super.init()
    registerEffect(for: LinesRead.self, id: Self.effect, pace: .throttle(.milliseconds(100))) {
      @MainActor [weak screen] action, _ in
      // Cancelled on this actor, so nothing is shown behind the summary.
      if !Task.isCancelled { screen?.showProgress("\(action.count) lines read") }
    }
  }
}
