internal import FlaskPrimitives

/// Waits on the clock of an effect, and then calls a closure, unless it has been cancelled.
final class EffectTimer: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isOver = false
  }

  let number: Int
  /// Holds the identifier, which outlives its effects while their span is being measured.
  let registration: EffectRegistration
  private let duration: Duration
  private let clock: any Clock<Duration>
  private let executor: (any TaskExecutor)?
  private let state = Lock(State())

  init(number: Int, _ duration: Duration, of registration: EffectRegistration, in flux: Flux) {
    self.number = number
    self.duration = duration
    self.registration = registration
    clock = registration.clock ?? flux.defaultClock
    executor = flux.surroundings?.executor
  }

  /// Begins to wait. `body` is not called if the timer was cancelled before.
  func start(_ body: @escaping @Sendable (EffectTimer) -> Void) {
    let task = Task(executorPreference: executor) {
      // A clock that throws ends the wait, or the effect would wait for ever.
      try? await self.clock.sleepAtMost(for: self.duration)
      if self.finish().isFirst { body(self) }
    }
    let isOver = state.withLock { state in
      if !state.isOver { state.task = task }
      return state.isOver
    }
    if isOver { task.cancel() }
  }

  func cancel() { finish().task?.cancel() }

  private func finish() -> (isFirst: Bool, task: Task<Void, Never>?) {
    state.withLock { state in
      defer { state.isOver = true }
      return (!state.isOver, state.task.take())
    }
  }
}
