extension FluxPerformer {
  /// Lets an action go its way: through the workers, then, from the default dispatcher, to the substances that define it. All of
  /// them are committed together; then effects are started.
  func perform(_ call: ActionCall, isolation: ActorIdentity) -> (
    result: OperationResult, tracker: ActionTracker?
  ) {
    if let run = call.run, run.isCancelled { return (.aborted, call.tracker) }
    actions.begin(call)
    let result: OperationResult
    do {
      try carry(call)
      result = commit(lock: nil, isolation: isolation)
      for start in actions.starts {
        start.dispatcher.effects.start(start, tracker: actions.trackerMade(), parent: call.run)
      }
    } catch {
      discard()
      result = .failed(error)
    }
    return (result, actions.end())
  }

  private func carry(_ call: ActionCall) throws {
    let next = try call.dispatcher.handle(call.action, in: FluxPass(performer: self)).kind
    guard call.dispatcher.isDefault else { return }
    switch next {
    case .same: try ask(call.action, flux: call.dispatcher.flux)
    case .other(let action): try ask(action, flux: call.dispatcher.flux)
    case .none: break
    }
  }

  private func ask(_ action: any FluxAction, flux: Flux?) throws {
    guard let flux else { return }
    let type = typeIdentifier(of: action)
    for substance in flux.mixers.substances(defining: MixerKey(actionType: type)) {
      if actions.asked.contains(ActionWork.Asked(substance: ObjectIdentifier(substance), type: type)) {
        continue
      }
      try substance.mix(action, in: FluxPass(performer: self))
    }
  }
}
