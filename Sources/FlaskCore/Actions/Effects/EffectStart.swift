/// An effect to be started when its action has been committed.
struct EffectStart: Sendable {
  let spec: EffectSpec
  let action: any FluxAction
  let middleware: FluxMiddleware
  /// The registered worker that the middleware is, or is wrapped in.
  let worker: any FluxWorker
  /// Whose identifiers count.
  let dispatcher: FluxDispatcher
  /// Where the action came from, and the effect's own actions go.
  let root: FluxDispatcher
}
