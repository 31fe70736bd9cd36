internal import FlaskPrimitives

/// Runs the effects of one dispatcher as an `EffectTable` decides.
///
/// The table decides under a lock, and identifies runs and timers by numbers. The commands are executed after the lock
/// is released, since they run or release client code. Cancelled runs are marked under the lock. So a caller can rely
/// on a cancellation even while another thread, which has decided it, is still executing it.
final class EffectEngine: Sendable {
  /// A decision of the `EffectTable`, with the run or timer itself in place of its number.
  enum Command {
    case start(EffectRun)
    case cancel(EffectRun)
    case drop(EffectRun)
    case startTimer(Timer)
    case cancelTimer(Timer)
  }

  /// The timer of a debouncing pause or of a throttling interval.
  struct Timer {
    let number: Int
    let duration: Duration
    /// The group, and the registration of the effect that started the timer. The registration is kept, since it retains
    /// the effect's identifier, which must outlive the timer.
    let group: EffectTable.Group
    let registration: EffectRegistration
    let clock: any Clock<Duration>
    let executor: (any TaskExecutor)?
    var task: Task<Void, Never>?
  }

  private struct State {
    var table = EffectTable()
    var runs: [Int: EffectRun] = [:]
    var timers: [Int: Timer] = [:]
    /// The waits of running effects, by group and by run.
    var waits: [EffectTable.Group: [Int: EffectWait]] = [:]
    var lastRun = 0
  }

  private let state = Lock(State())

  /// The number of effects that wait, that run, or that were cancelled and have not ended.
  var count: Int { state.withLock { $0.runs.count } }

  /// The number of running timers.
  var timerCount: Int { state.withLock { $0.timers.count } }

  /// The number of effects that await work that they have dispatched.
  var waitCount: Int { state.withLock { $0.waits.values.reduce(0) { $0 + $1.count } } }

  /// True if no effect runs or waits, and no timer runs. The `EffectTable` then contains only the registered workers.
  var isIdle: Bool { state.withLock { $0.table.isIdle && $0.runs.isEmpty && $0.timers.isEmpty } }

  /// Accepts effects of a worker from now on.
  func own(_ owner: ObjectIdentifier) { state.withLock { $0.table.own(owner) } }

  /// Marks the effects of a worker as cancelled, and accepts no effect of this worker from now on. The caller must
  /// execute the returned commands while it holds no lock.
  func disown(_ owner: ObjectIdentifier) -> [Command] { decide { $0.disown(owner) } }

  /// Cancels the effects of an identifier.
  func cancel(_ id: any Hashable & Sendable) {
    guard let identifier = EffectIdentifierTable.shared.existing(id) else { return }
    execute(decide { $0.cancel(identifier.number, of: .all) })
  }

  /// Cancels the effects that a middleware has registered with an identifier.
  func cancel(_ identifier: EffectIdentifier, of middleware: FluxMiddleware) {
    execute(decide { $0.cancel(identifier.number, of: .middleware(ObjectIdentifier(middleware))) })
  }

  /// Cancels all effects, and accepts none from now on.
  func close() { execute(decide { $0.close() }) }

  /// Accepts an effect after its action was committed.
  ///
  /// - Parameter parent: the effect that dispatched the action.
  func start(_ request: EffectRequest, tracker: ActionTracker, parent: EffectRun?) {
    guard let flux = request.dispatcher.flux else { return }
    tracker.enter()
    request.middleware.openEffects.enter(self)
    let number = state.withLock { state in
      state.lastRun += 1
      return state.lastRun
    }
    let run = EffectRun(number: number, request, flux: flux, tracker: tracker)
    // The state is watched before the run can start, so that the run ends with any commit from now on.
    if let presence = request.registration.presence {
      run.bind(to: presence(request.action)) { [weak self] in self?.end($0) }
    }
    // An effect whose state does not exist has no part in its group.
    if run.isCancelled { return leave(run) }
    let commands = state.withLock { state in
      state.runs[run.number] = run
      let decisions = state.table.add(run.entry(parent: relative(parent, of: run, state)))
      return resolve(decisions, &state)
    }
    execute(commands)
    if run.isCancelled { execute(decide { $0.cancel(run: run.number, in: run.group) }) }
    if request.registration.policy == .queue { endBlockedWaits(in: request.group) }
  }

  /// Ends an effect whose state was removed.
  private func end(_ run: EffectRun) {
    run.markLost()
    execute(decide { $0.cancel(run: run.number, in: run.group) })
    run.cleanUp()
  }

  func execute(_ commands: [Command]) {
    for command in commands {
      switch command {
      case .start(let run): run.start(by: self) { [self] run in ended(run) }
      case .cancel(let run): run.cancelTask()
      case .drop(let run): leave(run)
      case .startTimer(let timer): start(timer)
      case .cancelTimer(let timer): timer.task?.cancel()
      }
    }
  }

  // MARK: Waits

  func add(_ wait: EffectWait) {
    state.withLock { $0.waits[wait.run.group, default: [:]][wait.run.number] = wait }
  }

  func forget(_ wait: EffectWait) {
    state.withLockReleasing { state in
      let removed = state.waits[wait.run.group]?.removeValue(forKey: wait.run.number)
      if state.waits[wait.run.group]?.isEmpty == true { state.waits[wait.run.group] = nil }
      return removed
    }
  }

  /// The waits of effects of a group, each with the effects that are queued behind the waiting effect.
  func waits(in group: EffectTable.Group) -> [(wait: EffectWait, queued: [EffectRun])] {
    state.withLock { state in
      (state.waits[group] ?? [:]).values.map { wait in
        let queued = state.table.queued(behind: wait.run.number, in: group)
        return (wait, queued.compactMap { state.runs[$0] })
      }
    }
  }

  // MARK: Decisions

  private func decide(_ body: (inout EffectTable) -> [EffectTable.Decision]) -> [Command] {
    state.withLock { state in
      let decisions = body(&state.table)
      return resolve(decisions, &state)
    }
  }

  /// Converts decisions of the `EffectTable` into commands, which have the runs and timers in place of their numbers.
  /// The caller must release the objects that are removed from the state after it has released the lock.
  private func resolve(_ decisions: [EffectTable.Decision], _ state: inout State) -> [Command] {
    decisions.compactMap { decision in
      switch decision {
      case .start(let number): return state.runs[number].map { .start($0) }
      case .cancel(let number):
        state.runs[number]?.markCancelled()
        return state.runs[number].map { .cancel($0) }
      case .drop(let number): return state.runs.removeValue(forKey: number).map { .drop($0) }
      case .startTimer(let number, let run, let duration):
        guard let run = state.runs[run] else { return nil }
        let timer = Timer(
          number: number,
          duration: duration,
          group: run.group,
          registration: run.registration,
          clock: run.registration.clock ?? run.flux.defaultClock,
          executor: run.flux.environment?.executor
        )
        state.timers[number] = timer
        return .startTimer(timer)
      case .cancelTimer(let number): return state.timers.removeValue(forKey: number).map { .cancelTimer($0) }
      }
    }
  }

  /// The number of the effect that dispatched the action of `run`. It is `nil` if no effect dispatched the action. It
  /// is also `nil` if the effect has ended, or has another identifier or dispatcher.
  private func relative(_ parent: EffectRun?, of run: EffectRun, _ state: State) -> Int? {
    guard let parent, state.runs[parent.number] === parent else { return nil }
    return parent.registration.identifier === run.registration.identifier ? parent.number : nil
  }

  private func ended(_ run: EffectRun) {
    let commands = state.withLock { state in
      state.runs[run.number] = nil
      let decisions = state.table.ended(run.number, of: run.group)
      return resolve(decisions, &state)
    }
    execute(commands)
    leave(run)
  }

  private func start(_ timer: Timer) {
    let task = Task(executorPreference: timer.executor) { [self] in
      // An error of the clock ends the wait; otherwise the effect would wait for ever.
      try? await timer.clock.sleepAtMost(for: timer.duration)
      fired(timer)
    }
    let isOver = state.withLock { state in
      state.timers[timer.number]?.task = task
      return state.timers[timer.number] == nil
    }
    if isOver { task.cancel() }
  }

  private func fired(_ timer: Timer) {
    let commands = state.withLock { state -> [Command] in
      // The timer may have been cancelled.
      if state.timers.removeValue(forKey: timer.number) == nil { return [] }
      let decisions = state.table.fired(timer.number, of: timer.group)
      return resolve(decisions, &state)
    }
    execute(commands)
    endBlockedWaits(in: timer.group)
  }

  private func leave(_ run: EffectRun) {
    run.unbind()
    run.middleware.openEffects.leave(self)
    run.tracker.leave()
  }
}
