/// The treatment of an effect when other effects with its identifier are running.
///
/// The policy is applied when the effect's pace allows the start. Only `.latest` also acts at once, when the effect
/// arrives.
public enum FluxEffectPolicy: Sendable, CaseIterable {
  /// Runs alongside them.
  case concurrent
  /// As soon as the new effect arrives, it cancels the running effects, whatever its own pace. It also cancels the
  /// effects that still wait for their turn or for their pace.
  case latest
  /// The effect is ignored while another effect with its identifier runs.
  case exhaust
  /// The effect waits until the others have ended. Effects run one after another, in the order of the actions.
  case queue
}
