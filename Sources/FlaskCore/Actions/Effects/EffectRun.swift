@_spi(FlaskInternals) internal import FlaskArchive

/// One run of an effect. Holds its middleware until the closure has returned, so `unowned self` in there is safe.
///
/// `@unchecked Sendable`: `root` is a weak reference that is never written again.
final class EffectRun: @unchecked Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
    var hasReturned = false
    /// The closure, and the actions on their way.
    var open = 1
    var atEnd: (@Sendable (EffectRun) -> Void)?
  }

  let number: Int
  let spec: EffectSpec
  let tracker: ActionTracker
  /// The dispatcher holds its engine, which holds this; so it is not held.
  private(set) weak var root: FluxDispatcher?
  private let action: any FluxAction
  private let middleware: FluxMiddleware
  private let worker: any FluxWorker
  private let flux: Flux
  private let state = Lock(State())

  init(number: Int, _ start: EffectStart, flux: Flux, tracker: ActionTracker) {
    self.number = number
    spec = start.spec
    action = start.action
    middleware = start.middleware
    worker = start.worker
    root = start.root
    self.flux = flux
    self.tracker = tracker
  }

  var offer: EffectOffer {
    EffectOffer(
      run: number,
      id: spec.id,
      owner: ObjectIdentifier(worker),
      policy: spec.policy,
      pace: spec.pace
    )
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Runs the closure in a task of its own, unless it has been cancelled already, and calls `atEnd` when it has ended: when the
  /// closure has returned, and the actions that it dispatched have been performed.
  func start(atEnd: @escaping @Sendable (EffectRun) -> Void) {
    state.withLock { $0.atEnd = atEnd }
    let task = Task {
      await Flux.$current.withValue(self.flux) { await self.run() }
      self.state.withLock {
        $0.hasReturned = true
        $0.task = nil
      }
      self.leave()
    }
    let isCancelled = state.withLock { state in
      if !state.hasReturned { state.task = task }
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// An action of the closure is on its way.
  func enter() { state.withLock { $0.open += 1 } }

  /// An action of the closure has been performed or dropped, or the closure has returned.
  func leave() {
    let atEnd = state.withLock { state in
      state.open -= 1
      return state.open == 0 ? state.atEnd.take() : nil
    }
    atEnd?(self)
  }

  /// Nothing that the closure dispatches is begun from here on.
  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  private func run() async {
    if isCancelled { return }
    do {
      try await spec.body(action, FluxEffectDispatch(run: self))
    } catch {
      if isCancelled || error is CancellationError { return }
      middleware.fail(error, of: action, FluxEffectDispatch(run: self), flux: flux, at: spec.place)
    }
  }
}
