/// The type of mixers for reactive substances without a subclass. Such a substance may define mixers of any enum.
public struct AnyMixer: RawRepresentable, Hashable, Sendable {
  /// The name of the mixer.
  public let rawValue: SubstanceMixer

  /// A mixer with the given name.
  public init(rawValue: SubstanceMixer) { self.rawValue = rawValue }
}
