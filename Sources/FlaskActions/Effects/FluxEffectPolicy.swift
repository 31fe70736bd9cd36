/// The fate of an effect when others of its identifier are running.
///
/// The policy is applied when the effect's pace lets it go; only `.latest` also acts at once, when the effect comes.
public enum FluxEffectPolicy: Sendable, CaseIterable {
  /// Runs alongside them.
  case concurrent
  /// It cancels them as soon as it comes, whatever its pace, together with those that wait for their turn or for their
  /// pace.
  case latest
  /// It is ignored while one runs.
  case exhaust
  /// It waits until they have ended: one after the other, in the order of the actions.
  case queue
}
