@_spi(FlaskInternals) internal import FlaskArchive

/// Runs the effects of one dispatcher as its table decides.
final class EffectEngine: Sendable {
  private struct State {
    var table = EffectTable()
    var runs: [Int: EffectRun] = [:]
    var timers: [Int: EffectTimer] = [:]
    var last = 0
  }

  private let state = Lock(State())

  /// The number of effects that run, end or wait.
  var count: Int { state.withLock { $0.runs.count } }

  /// The number of spans that are being measured.
  var timerCount: Int { state.withLock { $0.timers.count } }

  func own(_ owner: ObjectIdentifier) { state.withLock { $0.table.own(owner) } }

  /// Decides that the effects of a worker are cancelled, and accepted no more. The caller acts, with no lock held.
  func disown(_ owner: ObjectIdentifier) -> [EffectDeed] {
    state.withLock { state in decide(&state) { $0.disown(owner) } }
  }

  func cancel(_ id: EffectID) { change { $0.cancel(id) } }

  func close() { change { $0.close() } }

  func start(_ start: EffectStart, tracker: ActionTracker) {
    guard let flux = start.dispatcher.flux else { return }
    tracker.enter()
    let deeds = state.withLock { state in
      state.last += 1
      let run = EffectRun(number: state.last, start, flux: flux, tracker: tracker)
      state.runs[run.number] = run
      return decide(&state) { $0.offer(run.offer) }
    }
    act(deeds)
  }

  private func change(_ body: (inout EffectTable) -> [EffectStep]) {
    act(state.withLock { state in decide(&state, body) })
  }

  private func decide(_ state: inout State, _ body: (inout EffectTable) -> [EffectStep]) -> [EffectDeed] {
    var deeds: [EffectDeed] = []
    for step in body(&state.table) {
      switch step {
      case .start(let run): if let run = state.runs[run] { deeds.append(.start(run)) }
      case .cancel(let run): if let run = state.runs[run] { deeds.append(.cancel(run)) }
      case .drop(let run):
        if let run = state.runs.removeValue(forKey: run) { deeds.append(.drop(run)) }
      case .startTimer(let number, let run, let id, let span):
        guard let run = state.runs[run] else { continue }
        let timer = EffectTimer(span, on: run.spec.clock)
        state.timers[number] = timer
        deeds.append(.startTimer(timer, number, id))
      case .cancelTimer(let number):
        if let timer = state.timers.removeValue(forKey: number) { deeds.append(.cancelTimer(timer)) }
      }
    }
    return deeds
  }

  func act(_ deeds: [EffectDeed]) {
    for deed in deeds {
      switch deed {
      case .start(let run): run.start { [self] run in end(run) }
      case .cancel(let run): run.cancel()
      case .drop(let run):
        run.cancel()
        run.tracker.leave()
      case .startTimer(let timer, let number, let id): timer.start { [self] in fire(number, of: id) }
      case .cancelTimer(let timer): timer.cancel()
      }
    }
  }

  private func end(_ run: EffectRun) {
    let deeds = state.withLock { state in
      state.runs[run.number] = nil
      return decide(&state) { $0.ended(run.number, of: run.spec.id) }
    }
    act(deeds)
    run.tracker.leave()
  }

  private func fire(_ timer: Int, of id: EffectID) {
    let deeds = state.withLock { state in
      state.timers[timer] = nil
      return decide(&state) { $0.fired(timer, of: id) }
    }
    act(deeds)
  }
}
