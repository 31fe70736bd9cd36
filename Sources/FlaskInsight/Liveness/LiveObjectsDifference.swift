/// The objects that appeared and disappeared between two snapshots.
public struct LiveObjectsDifference: Sendable {
  /// The objects that are alive in the later snapshot only.
  public let appeared: [LiveObjects.Entry]
  /// The objects that were alive in the earlier snapshot only.
  public let gone: [LiveObjects.Entry]

  /// Whether nothing appeared and nothing disappeared.
  public var isEmpty: Bool { appeared.isEmpty && gone.isEmpty }
}

extension LiveObjectsDifference: CustomStringConvertible {
  /// A line for each object: `+` marks an object that appeared, `-` an object that disappeared.
  public var description: String {
    isEmpty ? "nothing" : (appeared.map { "+ \($0)" } + gone.map { "- \($0)" }).joined(separator: "\n")
  }
}
