/// The time at which an effect starts, if its policy allows the start.
///
/// Later versions may add cases: a `switch` over it has an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum FluxEffectPace: Sendable, Equatable {
  /// The effect begins as soon as its action has been committed.
  case immediate
  /// The effect starts when no other debounced effect of its group has arrived for this duration. An effect that
  /// arrives earlier replaces the waiting effect.
  case debounce(Duration)
  /// The first effect starts at once, and begins an interval of this duration. Of the effects that arrive during the
  /// interval, only the last starts, at the end of the interval. It begins the next interval.
  case throttle(Duration)
}
