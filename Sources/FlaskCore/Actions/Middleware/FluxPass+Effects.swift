extension FluxPass {
  /// Has an effect started when the action has been committed.
  func note(_ spec: EffectSpec, of middleware: FluxMiddleware, for action: any FluxAction) {
    let work = performer.actions
    guard let worker = work.worker, let dispatcher = work.dispatcher, let root = work.root else { return }
    work.starts.append(
      EffectStart(
        spec: spec,
        action: action,
        middleware: middleware,
        worker: worker,
        dispatcher: dispatcher,
        root: root
      )
    )
  }
}
