/// When an effect begins, as far as its policy lets it.
public enum FluxEffectPace: Sendable, Equatable {
  /// As soon as its action has been committed.
  case immediate
  /// When that long no other debounced effect of its identifier has come; of those that come earlier only the last is
  /// left.
  case debounce(Duration)
  /// Starts at once, and then at most once in that time; of those that come in between the last starts at the end of
  /// the time span.
  case throttle(Duration)
}
