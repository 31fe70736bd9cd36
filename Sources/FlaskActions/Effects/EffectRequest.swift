/// The registration of an effect by a middleware.
struct EffectRegistration: Sendable {
  /// Returns the identifier of an effect for an action. It is `nil` in a registration whose effects have one constant
  /// identifier.
  typealias Identify = @Sendable (any FluxAction) -> any Hashable & Sendable

  private(set) var identifier: EffectIdentifier
  var identify: Identify?
  /// Returns the piece of state with which an effect for an action ends; `nil` if it does not exist. The closure is
  /// `nil` in the registration of effects that depend on no state.
  var presence: (@Sendable (any FluxAction) -> FluxLifetime?)?
  let group: FluxEffectGroup
  let policy: FluxEffectPolicy
  let pace: FluxEffectPace
  /// `nil` for the clock of the flux.
  let clock: (any Clock<Duration>)?
  let location: SourcePlace
  let body: @Sendable (any FluxAction, FluxEffectDispatch) async throws -> Void

  /// Returns this registration with the identifier for `action`. It calls the client's `id` closure.
  func identified(by action: any FluxAction) -> EffectRegistration {
    guard let identify else { return self }
    var copy = self
    copy.identifier = EffectIdentifierTable.shared.intern(identify(action))
    return copy
  }
}

/// An effect that begins when its action has been committed.
struct EffectRequest: Sendable {
  let registration: EffectRegistration
  let action: any FluxAction
  let middleware: FluxMiddleware
  /// The registered worker: the middleware itself, or a worker that wraps the middleware.
  let worker: any FluxWorker
  /// The dispatcher with which the worker is registered. Effects of one identifier are grouped by dispatcher.
  let dispatcher: FluxDispatcher
  /// The dispatcher with which the action was dispatched, and with which the effect dispatches its own actions.
  let root: FluxDispatcher

  /// The group in which the policy and the pace apply.
  var group: EffectTable.Group {
    let holder: EffectTable.Group.Holder =
      switch registration.group {
      case .own: .middleware(middleware.number)
      case .shared(let name): .shared(name)
      }
    return EffectTable.Group(identifier: registration.identifier.number, holder: holder)
  }
}

extension FluxPass {
  /// Schedules an effect, which starts when the action has been committed.
  func request(_ registration: EffectRegistration, of middleware: FluxMiddleware, for action: any FluxAction)
  {
    withRoute { route in
      guard let worker = route.worker, let dispatcher = route.dispatcher, let root = route.root else {
        return
      }
      route.add(
        EffectRequest(
          registration: registration.identified(by: action),
          action: action,
          middleware: middleware,
          worker: worker,
          dispatcher: dispatcher,
          root: root
        )
      )
    }
  }
}
