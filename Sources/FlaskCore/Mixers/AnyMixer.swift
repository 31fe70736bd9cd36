/// The type of the mixers of a reactive substance without a subclass, which may define mixers of any enum.
public struct AnyMixer: RawRepresentable, Hashable, Sendable {
  /// The name of the mixer.
  public let rawValue: SubstanceMixer

  /// A mixer with the given name.
  public init(rawValue: SubstanceMixer) { self.rawValue = rawValue }
}
