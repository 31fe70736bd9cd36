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
