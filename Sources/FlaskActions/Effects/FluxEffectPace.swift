/// When an effect begins, provided that its policy allows it.
public enum FluxEffectPace: Sendable, Equatable {
  /// The effect begins as soon as its action has been committed.
  case immediate
  /// The effect begins when no other debounced effect of its identifier has come for this time. An effect that comes
  /// earlier replaces the one that waits.
  case debounce(Duration)
  /// The first effect begins at once, and opens a span of this length. Of the effects that come during the span, the
  /// last begins at its end and opens the next span.
  case throttle(Duration)
}
