/// What becomes of an effect when others of its identifier are running.
///
/// The policy is applied when the effect's pace lets it go; only `.latest` also acts at once, when the effect comes.
public enum FluxEffectPolicy: Sendable, CaseIterable {
  /// It runs beside them.
  case concurrent
  /// It cancels them as soon as it comes, whatever its pace, together with those that wait for their turn or for their
  /// pace.
  case latest
  /// It is ignored while one runs.
  case exhaust
  /// It waits until they have ended: one after the other, in the order of the actions.
  case queue
}

/// When an effect begins, as far as its policy lets it.
public enum FluxEffectPace: Sendable, Equatable {
  /// As soon as its action has been committed.
  case immediate
  /// When that long no other debounced effect of its identifier has come; of those that come earlier only the last is
  /// left.
  case debounce(Duration)
  /// At once, and then once in that long at most; of those that come meanwhile the last is left for the end of the
  /// span.
  case throttle(Duration)
}
