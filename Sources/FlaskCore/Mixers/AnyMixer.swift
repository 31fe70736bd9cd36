/// Stands for any enum of mixers, in the type of a substance without a subclass.
public struct AnyMixer: RawRepresentable, Hashable, Sendable {
  /// The name of the mixer.
  public let rawValue: SubstanceMixer

  /// A mixer with the given name.
  public init(rawValue: SubstanceMixer) { self.rawValue = rawValue }
}
