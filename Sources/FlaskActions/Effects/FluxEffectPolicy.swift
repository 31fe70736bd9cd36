/// The fate of an effect when other effects of its identifier are running.
///
/// The policy is applied when the effect's pace lets it go; only `.latest` also acts at once, when the effect comes.
public enum FluxEffectPolicy: Sendable, CaseIterable {
  /// Runs alongside them.
  case concurrent
  /// The effect cancels the running ones as soon as it comes, whatever its pace. It also cancels those that wait for
  /// their turn or for their pace.
  case latest
  /// The effect is ignored while another one runs.
  case exhaust
  /// The effect waits until the others have ended. Effects run one after another, in the order of the actions.
  case queue
}
