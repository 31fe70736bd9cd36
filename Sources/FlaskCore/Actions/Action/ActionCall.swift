/// An action on its way through the flux.
struct ActionCall: Sendable {
  let dispatcher: FluxDispatcher
  let action: any FluxAction
  /// What waits for the action and its effects; `nil` if nobody does yet.
  var tracker: ActionTracker?
  /// The effect that dispatched it.
  var run: EffectRun?
}
