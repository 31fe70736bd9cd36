internal import FlaskPrimitives

/// Passes actions to its workers, one worker after the other, in operations of its flux.
///
/// ```swift
/// let dispatcher = FluxDispatcher()
/// dispatcher.register(workers: [SomeStore(), SomeMiddleware(dispatcher: dispatcher)])
/// SomeAction(value: 5).dispatch(with: dispatcher)
/// ```
/// A dispatched action is one operation, in order with mixes and global mixers. It is performed before the call returns
/// if the flux is idle and unlocked, otherwise later. All stores that the action changes are committed together after
/// the last worker was asked, or none if a worker throws. Then reactions are delivered and effects are started. Actions
/// that a worker dispatches are queued until then.
///
/// A dispatcher belongs to the flux that is current when it is made. It retains its workers; so a worker should
/// reference its dispatcher weakly. When the dispatcher is deallocated, its effects are cancelled.
///
/// `@unchecked Sendable`:
/// - Invariant: the weak reference `borrowedFlux` is never written after `init`; the rest is constant or guards itself.
/// - If violated: a data race.
public final class FluxDispatcher: FluxWorker, @unchecked Sendable {
  /// The default dispatcher of the current flux.
  public static var `default`: FluxDispatcher { Flux.current.dispatcher }

  let list = Lock(WorkerList())
  let effects = EffectEngine()
  let isDefault: Bool
  let route: ActionRoute
  let mixers: MixerRegistry
  /// The substances of the flux that are registered with dispatchers other than the default one.
  let claims: ClaimedSubstances
  private let heldFlux: Flux?
  private weak var borrowedFlux: Flux?
  private let mainThread = MainThreadActions()

  /// Makes a dispatcher of the current flux, without workers.
  public init() {
    let flux = Flux.current
    heldFlux = flux
    isDefault = false
    route = flux.route
    mixers = flux.mixers
    claims = flux.claimedSubstances
  }

  /// Creates the default dispatcher of `flux`. The flux retains the dispatcher, so the dispatcher does not retain the
  /// flux. Only the default dispatcher of `Flask.bus` retains its flux, since that flux is never released.
  init(defaultOf flux: Flux) {
    heldFlux = flux === Flux.shared ? flux : nil
    borrowedFlux = heldFlux == nil ? flux : nil
    isDefault = true
    route = flux.route
    mixers = flux.mixers
    claims = flux.claimedSubstances
  }

  deinit {
    effects.close()
    if !isDefault { for worker in list.withLock({ $0.inOrder }) { claims.remove(worker) } }
  }

  /// The flux that performs the actions; `nil` only for the default dispatcher of a deallocated flux.
  public var flux: Flux? { heldFlux ?? borrowedFlux }

  /// Dispatches an action. May be called on any thread. The action is performed before the call returns if the flux is
  /// idle and unlocked.
  ///
  /// In debug builds a fault reports an unanswered action, once for each type.
  ///
  /// - Returns: the outcome (`committed` with the keys that changed in stores and substances), and `finished`.
  @discardableResult
  public func dispatch(
    _ action: any FluxAction,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxReceipt {
    let options = MixOptions(isolation, fileID, line)
    let receipt = heldFlux.map { UnretainedReference($0) }?.use {
      $0.performAtOnce(action, by: self, with: options)
    }
    return receipt ?? submit(action, with: options)
  }

  @inline(never)
  private func submit(_ action: any FluxAction, with options: MixOptions) -> FluxReceipt {
    guard let flux else { return .aborted }
    return flux.submit(
      ActionOperation(dispatcher: self, action: action, location: options.place),
      isolation: options.isolation
    )
  }

  /// Dispatches an action on the main thread, after the actions that already wait for the main thread.
  func dispatchOnMainThread(_ action: any FluxAction, at location: SourcePlace) -> FluxReceipt {
    guard let flux else { return .aborted }
    let operation = ActionOperation(dispatcher: self, action: action, location: location)
    // If the flux has an environment, as in a test, the action is submitted on the calling thread, and not sent to the
    // main thread.
    if flux.environment != nil, !MainThread.isCurrent { return flux.submit(operation, isolation: .none) }
    return mainThread.submit(operation, to: flux)
  }

  /// Asks the workers of this dispatcher. A dispatcher can be a worker of another dispatcher. It passes on the action
  /// that its last worker returns. A worker that stops the action stops it for the outer dispatcher too.
  public func handle(_ action: any FluxAction, in pass: borrowing FluxPass) throws -> FluxNextAction {
    let first = list.withLock { $0.first }
    return try withExtendedLifetime(first) {
      try pass.withRoute { route in
        try route.asking(by: self) { try ask(first.map { UnretainedReference($0) }, action, pass) }
      }
    }
  }

  /// Asks the workers of a list, from `first` on, to answer an action. The caller must retain the list.
  @inline(__always)
  private func ask(
    _ first: UnretainedReference<WorkerLink>?,
    _ action: any FluxAction,
    _ pass: borrowing FluxPass
  ) throws -> FluxNextAction {
    var current = action
    var isReplaced = false
    var link = first
    while let present = link {
      pass.withRoute { $0.borrowedWorker = present }
      let (answer, next) = try present.use { link in
        if link.isOpaque { pass.withRoute { $0.isAnswered = true } }
        return (try link.worker.handle(current, in: pass).kind, link.next.map { UnretainedReference($0) })
      }
      switch answer {
      case .same: break
      case .other(let other):
        current = other
        isReplaced = true
      case .none: return .stop()
      }
      link = next
    }
    return isReplaced ? .next(current) : .next()
  }

  /// Cancels the effects of this dispatcher that were registered with `id`, both running and waiting ones.
  ///
  /// When the call has returned, no action that these effects dispatch, or have dispatched, is started any more. An
  /// action in progress continues. An effect has ended, and cannot be cancelled any more, when its closure has returned
  /// and its actions have been performed.
  public func cancelEffects(id: any Hashable & Sendable) { effects.cancel(id) }
}
