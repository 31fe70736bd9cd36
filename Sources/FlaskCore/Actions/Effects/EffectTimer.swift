@_spi(FlaskInternals) internal import FlaskArchive

/// Waits on a clock, and then calls a closure, unless it has been cancelled.
final class EffectTimer: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isOver = false
  }

  private let span: Duration
  private let clock: any Clock<Duration>
  private let state = Lock(State())

  init(_ span: Duration, on clock: any Clock<Duration>) {
    self.span = span
    self.clock = clock
  }

  func start(_ body: @escaping @Sendable () -> Void) {
    let task = Task {
      do { try await self.clock.sleep(for: self.span) } catch { return }
      if self.end() != nil { body() }
    }
    let isOver = state.withLock { state in
      if !state.isOver { state.task = task }
      return state.isOver
    }
    if isOver { task.cancel() }
  }

  func cancel() { end()??.cancel() }

  /// `nil` if it was over before.
  private func end() -> Task<Void, Never>?? {
    state.withLock { state in
      if state.isOver { return nil }
      state.isOver = true
      return .some(state.task.take())
    }
  }
}
