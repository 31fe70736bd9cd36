/// One thing for the flux to do. What is large is stored apart, since what waits is moved about.
enum FluxOperation: Sendable {
  /// The one closure of a resolved chain.
  case mix(MixStep)
  /// The closures of a resolved chain.
  case chain([MixStep])
  /// A global mixer, for every living substance that defines it.
  indirect case mixer(MixerCall)
  /// A substance goes back to its captured state.
  case rollback(AnySubstance)
  /// A typed action, for the workers of its dispatcher.
  indirect case action(ActionCall)
  /// A closure of the user's, in order with the mixes.
  case closure(@Sendable () -> Void)
}

/// An operation that waits for its turn.
struct WaitingOperation: Sendable {
  let operation: FluxOperation
  let pending: PendingOutcome
  /// The lock that came with it, for an operation of the exclusive lane.
  var lock: FluxLock?
}
