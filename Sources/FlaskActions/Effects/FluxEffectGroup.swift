/// The effects that the policies and paces of an effect count together.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum FluxEffectGroup: Sendable, Hashable {
  /// The effects that the same middleware has registered with an equal identifier.
  case own
  /// The effects that any middleware of the dispatcher has registered for a shared group of this name, with an equal
  /// identifier. Effects that are registered without an identifier are one group.
  case shared(String)
}
