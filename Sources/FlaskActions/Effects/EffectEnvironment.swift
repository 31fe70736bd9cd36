/// An environment that performs the effects of a flux, and holds the actions that the effects dispatch. A test has such
/// an environment.
///
/// Any thread may call any function, and holds no lock of Flask during the call.
package protocol EffectEnvironment: FluxEnvironment {
  /// Performs an effect, in the task of the effect.
  func perform(_ effect: EffectContext, _ body: @Sendable () async -> Void) async
  /// Keeps an action that an effect has dispatched, until a test performs it.
  func hold(_ action: PendingAction)
}

/// An effect, or work that lives as long as a piece of state, as its environment sees it.
package struct EffectContext: Sendable {
  /// The effect or the work as text, for messages.
  package let name: String
  /// Where it was registered.
  package let place: SourcePlace

  package init(action: Any.Type, holder: Any.Type, place: SourcePlace) {
    name = "effect for \(action) of \(holder)"
    self.place = place
  }

  /// Work on a substance.
  init(workOn substance: String, place: SourcePlace) {
    name = "work on \(substance)"
    self.place = place
  }
}

/// An action that an effect has dispatched, and that has not been submitted.
package struct PendingAction: Sendable {
  package let action: any Sendable
  package let effect: EffectContext
  /// Whether the effect was cancelled: performing the action has no effect then.
  package let isCancelled: @Sendable () -> Bool
  /// Submits it. To be called once.
  package let submit: @Sendable ((any Actor)?) -> Void

  package init(
    action: any Sendable,
    effect: EffectContext,
    isCancelled: @escaping @Sendable () -> Bool,
    submit: @escaping @Sendable ((any Actor)?) -> Void
  ) {
    self.action = action
    self.effect = effect
    self.isCancelled = isCancelled
    self.submit = submit
  }
}

extension Flux {
  var effectEnvironment: (any EffectEnvironment)? { environment as? any EffectEnvironment }
}
