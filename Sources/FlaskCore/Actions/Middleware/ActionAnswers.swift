/// What a middleware does about one type of actions.
struct ActionAnswers: Sendable {
  var handlers: [@Sendable (any FluxAction) -> Void] = []
  var composer: (@Sendable (any FluxAction) -> FluxNextAction)?
  var effects: [EffectSpec] = []
}
