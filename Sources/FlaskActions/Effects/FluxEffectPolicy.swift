/// The treatment of an effect when other effects of its group are running. See `FluxEffectGroup`.
///
/// The policy is applied when the effect's pace allows the start. Only `.latest` also acts at once, when the effect
/// arrives.
///
/// Later versions may add cases: a `switch` over it has an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum FluxEffectPolicy: Sendable, CaseIterable {
  /// Runs alongside them.
  case concurrent
  /// As soon as the new effect arrives, it cancels the running effects, whatever its own pace. It also cancels the
  /// effects that still wait for their turn or for their pace.
  case latest
  /// The effect is ignored while another effect of its group runs.
  case exhaust
  /// The effect waits until the effects that came before it have ended, and does not wait for those that start later.
  /// Queued effects run one after another, in the order of the actions. A queued effect that awaits another one behind
  /// it would never end, which is a fault: the wait ends.
  case queue
}
