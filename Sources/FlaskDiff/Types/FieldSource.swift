/// Where the types of the stored properties of a struct come from.
///
/// Both sources answer alike; they differ in speed and in what must be available to use them. Offsets and ownership
/// come from the type's metadata in either case, and the same check decides whether the answer is believed.
package enum FieldSource: UInt8, Sendable, CaseIterable {
  #if !canImport(Darwin)
    /// The runtime's field metadata, which only needs the type. Not promised on Apple's SDKs.
    case runtime
  #endif
  /// `Mirror` over an example value.
  case mirror

  #if canImport(Darwin)
    /// The source used where nobody asks for a certain one.
    package static let preferred = FieldSource.mirror
  #else
    /// The source used where nobody asks for a certain one.
    package static let preferred = FieldSource.runtime
  #endif
}
