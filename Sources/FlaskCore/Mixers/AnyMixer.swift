/// A mixer of whatever enum: what stands for the enum in the type of a substance without a subclass.
public struct AnyMixer: RawRepresentable, Hashable, Sendable {
  /// The name of the mixer.
  public let rawValue: SubstanceMixer

  /// A mixer with the given name.
  public init(rawValue: SubstanceMixer) { self.rawValue = rawValue }
}
