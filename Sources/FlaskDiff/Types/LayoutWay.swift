/// Where the knowledge about the stored properties of a struct comes from.
///
/// Both ways answer alike; they differ in speed and in what must be had to use them.
package enum LayoutWay: UInt8, Sendable, CaseIterable {
  #if !canImport(Darwin)
    /// The runtime's field metadata, which only needs the type. Not promised on Apple's SDKs.
    case runtime
  #endif
  /// `Mirror` over an example value, checked against the memory of that value.
  case mirror

  #if canImport(Darwin)
    /// The way used where nobody asks for a certain one.
    package static let preferred = LayoutWay.mirror
  #else
    /// The way used where nobody asks for a certain one.
    package static let preferred = LayoutWay.runtime
  #endif
}
