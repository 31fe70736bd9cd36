/// What came and went between two moments.
public struct CensusDifference: Sendable {
  /// What lives now and did not before.
  public let appeared: [Census.Entry]
  /// What lived before and does not now.
  public let gone: [Census.Entry]

  /// Whether nothing came and nothing went.
  public var isEmpty: Bool { appeared.isEmpty && gone.isEmpty }
}

extension CensusDifference: CustomStringConvertible {
  /// A line for each, with `+` for what appeared and `-` for what is gone.
  public var description: String {
    isEmpty ? "nothing" : (appeared.map { "+ \($0)" } + gone.map { "- \($0)" }).joined(separator: "\n")
  }
}
