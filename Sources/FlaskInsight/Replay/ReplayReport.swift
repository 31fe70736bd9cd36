/// How a replay of the logic went.
public struct ReplayReport: Sendable, CustomStringConvertible {
  /// The first operation that went another way than it was recorded.
  public struct Difference: Sendable, CustomStringConvertible {
    /// Its number in the recording; of one that was not recorded, that of the last one before it.
    public let number: Int
    /// The operation and its source location.
    public let title: String
    /// The differences: lines with `-` are as recorded, those with `+` as they are now.
    public let lines: [String]

    /// Operation and lines.
    public var description: String { (["operation \(number), \(title):"] + lines).joined(separator: "\n  ") }
  }

  /// The number of operations that were performed again: actions, mixers, and the operations that these and the
  /// reactions to them submitted.
  public internal(set) var performed = 0
  /// The number of operations that could not be performed again, so that their recorded changes were applied: mixes
  /// from outside, and actions and mixers that the recording does not have completely.
  public internal(set) var applied = 0
  /// The first operation that went another way; `nil` if all went as they were recorded.
  public internal(set) var difference: Difference?

  /// One line, and those of the difference.
  public var description: String {
    let what = "\(performed) operations performed again, \(applied) taken from the recording"
    return what + (difference.map { "\n\($0)" } ?? ", no difference")
  }
}
