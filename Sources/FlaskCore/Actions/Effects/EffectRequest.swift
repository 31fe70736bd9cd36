/// An effect as it was registered.
struct EffectRegistration: Sendable {
  let identifier: EffectIdentifier
  let policy: FluxEffectPolicy
  let pace: FluxEffectPace
  let clock: any Clock<Duration>
  let location: SourceLocation
  let body: @Sendable (any FluxAction, FluxEffectDispatch) async throws -> Void
}

/// An effect that begins when its action has been committed.
struct EffectRequest: Sendable {
  let registration: EffectRegistration
  let action: any FluxAction
  let middleware: FluxMiddleware
  /// The registered worker that the middleware is, or is wrapped in.
  let worker: any FluxWorker
  /// The dispatcher that the worker is registered with: effects of one identifier are grouped by it.
  let dispatcher: FluxDispatcher
  /// The dispatcher that the action was dispatched with, and that the effect dispatches its own actions with.
  let root: FluxDispatcher
}

extension FluxPass {
  /// Has an effect started when the action has been committed.
  func note(_ registration: EffectRegistration, of middleware: FluxMiddleware, for action: any FluxAction) {
    guard let worker = route.worker, let dispatcher = route.dispatcher, let root = route.root else { return }
    route.note(
      EffectRequest(
        registration: registration,
        action: action,
        middleware: middleware,
        worker: worker,
        dispatcher: dispatcher,
        root: root
      )
    )
  }
}
