internal import FlaskPrimitives

/// Work that depends on a value of the states of one substance. It runs for one value at a time.
///
/// The listeners of the substance retain this object, and it does not retain the substance.
final class WorkSeat<Value: Equatable & Sendable>: LastingWork {
  private struct State {
    var course: WorkCourse<Value>
    var tasks: [Int: WorkTask] = [:]
    var timers: [Int: Task<Void, Never>] = [:]
    var observations: [SubstanceObservation] = []
  }

  /// A decision of the `WorkCourse`, with the objects in place of their numbers.
  private enum Command {
    case start(WorkTask, Value)
    case end(WorkTask)
    case startTimer(Int, Duration)
    case cancelTimer(Task<Void, Never>)
  }

  private let watched: WatchedValue<Value>
  private let origin: WorkOrigin
  private let clock: any Clock<Duration>
  private let body: @Sendable (Value) async throws -> Void
  private let state: Lock<State>

  init(
    _ watched: WatchedValue<Value>,
    pace: FluxEffectPace = .immediate,
    clock: (any Clock<Duration>)? = nil,
    _ origin: WorkOrigin,
    _ body: @escaping @Sendable (Value) async throws -> Void
  ) {
    self.watched = watched
    self.origin = origin
    self.clock = clock ?? origin.flux.defaultClock
    self.body = body
    state = Lock(State(course: WorkCourse(pace: pace)))
    begin()
    WorkRun.here?.adopt(self)
  }

  private func begin() {
    let observations = watched.observe { commit in
      // A past state that a time travel shows starts nothing, and ends nothing.
      if self.watched.cell.isInThePast { return }
      self.see(self.watched.read(commit.newAddress), version: commit.number)
    }
    let end = watched.cell.whenGone { self.end() }
    let isOver = state.withLock { state in
      state.observations = observations + [end]
      return state.course.isOver
    }
    if isOver || !watched.cell.subject.isAlive { return self.end() }
    origin.inPresent(of: watched.cell) {
      let present = self.watched.cell.pinPresent()
      defer { present.unpin() }
      self.see(self.watched.read(UnsafeRawPointer(present.address)), version: present.number)
    }
  }

  var isRunning: Bool { state.withLock { Array($0.tasks.values) }.contains(where: \.isRunning) }

  func end() {
    let (commands, observations, last) = state.withLock { state in
      let last = state.course.value
      let decisions = state.course.end()
      defer { state.observations = [] }
      return (resolve(decisions, &state), state.observations, last)
    }
    withExtendedLifetime(last) {}
    for observation in observations { observation.cancel() }
    execute(commands)
  }

  /// Compares the value in a version of the state with the last one, and starts or ends runs accordingly.
  private func see(_ value: Value?, version: Int) {
    while true {
      // `last` retains the value, so that it is not released under the lock.
      let (last, serial) = state.withLock { ($0.course.value, $0.course.serial) }
      defer { withExtendedLifetime(last) {} }
      // The values are compared without the lock, since that may run client code.
      let isSame = last == value
      let commands = state.withLock { state -> [Command]? in
        let decisions = state.course.see(value, isSame: isSame, at: serial, version: version)
        return decisions.map { resolve($0, &state) }
      }
      if let commands { return execute(commands) }
    }
  }

  /// Converts decisions into commands. Ended runs are marked here, under the lock: a caller can rely on the end even
  /// while another thread is still executing it. Objects that are removed are released by the caller.
  private func resolve(_ decisions: [WorkCourse<Value>.Command], _ state: inout State) -> [Command] {
    decisions.compactMap { decision in
      switch decision {
      case .start(let run):
        guard let value = state.course.value else { return nil }
        let task = WorkTask(origin)
        state.tasks[run] = task
        return .start(task, value)
      case .end(let run):
        guard let task = state.tasks.removeValue(forKey: run) else { return nil }
        task.markEnded()
        return .end(task)
      case .startTimer(let timer, let duration): return .startTimer(timer, duration)
      case .cancelTimer(let timer): return state.timers.removeValue(forKey: timer).map { .cancelTimer($0) }
      }
    }
  }

  private func execute(_ commands: [Command]) {
    for command in commands {
      switch command {
      case .start(let task, let value): task.start { [body] in try await body(value) }
      case .end(let task): task.finish()
      case .startTimer(let timer, let duration): start(timer, duration)
      case .cancelTimer(let task): task.cancel()
      }
    }
  }

  private func fired(_ timer: Int) {
    let (commands, ended) = state.withLock { state in
      let ended = state.timers.removeValue(forKey: timer)
      let decisions = state.course.fired(timer)
      return (resolve(decisions, &state), ended)
    }
    withExtendedLifetime(ended) {}
    execute(commands)
  }

  private func start(_ timer: Int, _ duration: Duration) {
    let task = Task(executorPreference: origin.flux.environment?.executor) { [clock] in
      // An error of the clock ends the wait; otherwise the work would wait for ever.
      try? await clock.sleepAtMost(for: duration)
      self.origin.inPresent(of: self.watched.cell) { self.fired(timer) }
    }
    let isWaited = state.withLock { state in
      if !state.course.waits(for: timer) { return false }
      state.timers[timer] = task
      return true
    }
    if !isWaited { task.cancel() }
  }
}
