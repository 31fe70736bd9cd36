/// The function by which an effect dispatches its actions: `dispatch(Found(results))`.
///
/// The actions go through the dispatcher of the action that started the effect. Once the effect has been cancelled they
/// are not started, and their receipts say `cancelled`.
public struct FluxEffectDispatch: Sendable {
  let run: EffectRun

  /// Dispatches an action on the thread on which the effect runs. See `FluxDispatcher.dispatch(_:)`.
  @discardableResult
  public func callAsFunction(_ action: any FluxAction, isolation: (any Actor)? = #isolation) -> FluxReceipt {
    if run.isCancelled { return FluxReceipt(.ended(.cancelled)) }
    guard let dispatcher = run.root, let flux = dispatcher.flux else { return .aborted }
    let call = ActionOperation(dispatcher: dispatcher, action: action, run: run)
    if let environment = flux.effectEnvironment { return run.hold(call, by: environment) }
    return flux.submit(call, isolation: ActorIdentity(isolation))
  }
}
