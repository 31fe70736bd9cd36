internal import FlaskPrimitives
internal import Synchronization

/// One run of an effect. It retains its middleware until the closure has returned, so that `unowned self` in the
/// closure is safe.
///
/// `@unchecked Sendable`:
/// - Invariant: the weak reference `root` is never written after `init`; the rest is constant, atomic or behind a lock.
/// - If violated: a data race.
final class EffectRun: @unchecked Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var hasReturned = false
    /// The number of unfinished pieces of work: the closure, and the actions that it has dispatched and that have not
    /// been performed.
    var open = 1
    var whenEnded: (@Sendable (EffectRun) -> Void)?
    /// Ends the run with its state.
    var bond: EffectBond?
    var isOver = false
  }

  let number: Int
  let registration: EffectRegistration
  let group: EffectTable.Group
  let middleware: FluxMiddleware
  let tracker: ActionTracker
  /// The dispatcher with which the run dispatches its actions. The reference is weak, since the dispatcher retains its
  /// effect engine, and the engine retains this run.
  private(set) weak var root: FluxDispatcher?
  private let action: any FluxAction
  private let worker: any FluxWorker
  let flux: Flux
  private let cancellation = Atomic<Bool>(false)
  /// The run of the effect as work that ends with a piece of state; `nil` if it depends on none.
  private let work: WorkRun?
  private let state = Lock(State())
  /// The cause of the operations that the run submits, if the operation that started it was traced.
  let cause: OperationCause?

  init(number: Int, _ request: EffectRequest, flux: Flux, tracker: ActionTracker) {
    self.number = number
    registration = request.registration
    group = request.group
    action = request.action
    middleware = request.middleware
    worker = request.worker
    root = request.root
    work = request.registration.presence == nil ? nil : WorkRun()
    self.flux = flux
    self.tracker = tracker
    let operation = flux.tracing?.numberHere ?? 0
    let place = request.registration.location
    cause =
      operation == 0
      ? nil
      : OperationCause(operation: operation, kind: .effect(type(of: request.middleware), place))
    if let observer = Liveness.observer {
      let action: Any.Type = type(of: request.action)
      let holder = type(of: request.middleware)
      observer.didMake(self, .effect, in: flux, at: place, name: "", type: action, holder: holder)
    }
  }

  deinit { Liveness.observer?.didRemove(ObjectIdentifier(self)) }

  /// Returns the data of the run on which the decisions of the `EffectTable` depend.
  func entry(parent: Int?) -> EffectTable.Entry {
    EffectTable.Entry(
      run: number,
      group: group,
      owner: ObjectIdentifier(worker),
      middleware: ObjectIdentifier(middleware),
      parent: parent,
      policy: registration.policy,
      pace: registration.pace
    )
  }

  // Sequentially consistent: an action that starts on any thread after `cancelEffects` has returned sees the
  // cancellation.
  var isCancelled: Bool { cancellation.load(ordering: .sequentiallyConsistent) }

  /// Marks the run as cancelled. From now on no action that its closure dispatches is started. Runs no client code, so
  /// it may be called under a lock.
  func markCancelled() { cancellation.store(true, ordering: .sequentiallyConsistent) }

  /// Cancels the task, which may call handlers of client code.
  func cancelTask() { state.withLock(\.task)?.cancel() }

  // MARK: The state with which it ends

  /// Ends the run when a piece of state is removed. Call before the run is started.
  func bind(to presence: FluxLifetime?, _ isLost: @escaping @Sendable (EffectRun) -> Void) {
    guard let presence else { return isLost(self) }
    let bond = EffectBond(presence) { isLost(self) }
    let isOver = state.withLock { state in
      if !state.isOver { state.bond = bond }
      return state.isOver
    }
    if isOver { bond.end() }
  }

  /// The state was removed: from now on nothing that the run submits is performed.
  func markLost() {
    work?.markEnded()
    markCancelled()
  }

  /// Drops what the run has queued, and releases its locks, after `markLost()`.
  func cleanUp() { work?.cleanUp() }

  /// Ends the watch of the state. Called when the run has ended, or was dropped.
  func unbind() {
    let bond = state.withLock { state in
      state.isOver = true
      return state.bond.take()
    }
    bond?.end()
  }

  /// Runs the closure in a separate task, unless the run has been cancelled. Calls `whenEnded` when the closure has
  /// returned and the actions that it dispatched have been performed.
  func start(by engine: EffectEngine, whenEnded: @escaping @Sendable (EffectRun) -> Void) {
    state.withLock { $0.whenEnded = whenEnded }
    Liveness.observer?.didStart(ObjectIdentifier(self))
    let task = Task(executorPreference: flux.environment?.executor) {
      await self.surrounded {
        await self.flux.causing(self.cause) {
          await RunningEffect.$current.withValue(RunningEffect(self, by: engine)) {
            await self.runSurrounded()
          }
        }
      }
      self.state.withLock {
        $0.hasReturned = true
        $0.task = nil
      }
      self.leave()
    }
    state.withLock { if !$0.hasReturned { $0.task = task } }
    if isCancelled { task.cancel() }
  }

  /// The closure has dispatched an action.
  func enter() { state.withLock { $0.open += 1 } }

  /// Ends one piece of the run's work. Called when the closure has returned, and when an action of the closure has been
  /// performed or dropped.
  func leave() {
    let whenEnded = state.withLock { state in
      state.open -= 1
      return state.open == 0 ? state.whenEnded.take() : nil
    }
    whenEnded?(self)
  }

  /// Performs `body` with the current flux, and as the work of this run.
  private func surrounded(_ body: () async -> Void) async {
    await Flux.$current.withValue(flux) {
      // The effect's task may inherit the run of the work whose thread has started it. The effect is no part of that
      // work, so it gets its own run, or none.
      if work == nil && WorkRun.here == nil { return await body() }
      await WorkRun.$current.withValue(work) { await body() }
    }
  }

  private func runSurrounded() async {
    guard let environment = flux.effectEnvironment else { return await run() }
    await environment.perform(context) { await self.run() }
  }

  private var context: EffectContext {
    EffectContext(
      action: type(of: action),
      holder: type(of: middleware),
      place: registration.location
    )
  }

  /// Reports that the effect has awaited work that cannot end before itself.
  func reportWait() {
    let name = action is any Redacted ? SafeText.mark : "\(type(of: action))"
    flux.report(
      .effectAwaitsItself,
      "an effect of \(type(of: middleware)) for \(name) awaits `finished` of work that can't end before the effect itself: the "
        + "action that has started it, or an effect that is queued behind it; `finished` has returned; don't await it "
        + "there, or register the other effect with another `id:`",
      at: registration.location
    )
  }

  /// Passes an action of the closure to the environment of the flux, which holds it. The run ends only after that
  /// action was performed.
  func hold(_ call: ActionOperation, by environment: any EffectEnvironment) -> FluxReceipt {
    let operation = call.submitted(to: flux)
    let flux = flux
    let cause = cause
    environment.hold(
      PendingAction(
        action: call.action,
        effect: context,
        isCancelled: { self.isCancelled },
        submit: { _ = flux.submit(operation, cause: cause, isolation: ActorIdentity($0)) }
      )
    )
    return FluxReceipt(operation)
  }

  private func run() async {
    if isCancelled { return }
    do {
      try await registration.body(action, FluxEffectDispatch(run: self))
    } catch {
      if isCancelled || error is CancellationError { return }
      tracker.fail(error)
      // The mixes of the handler are not the effect's, which may end with its state.
      WorkRun.outside {
        middleware.handle(
          error,
          of: action,
          FluxEffectDispatch(run: self),
          flux: flux,
          at: registration.location
        )
      }
    }
  }
}
