/// How a replay of the logic went.
public struct ReplayReport: Sendable, CustomStringConvertible {
  /// The first operation that differs from the recording.
  public struct Difference: Sendable, CustomStringConvertible {
    /// The number of the operation in the recording. If the operation was not recorded, it is the number of the
    /// recorded operation before it.
    public let number: Int
    /// The operation and its source location, as text.
    public let title: String
    /// The differences. A line with `-` shows the recorded value, outcome or operation. A line with `+` shows that of
    /// the replay.
    public let lines: [String]

    /// Operation and lines.
    public var description: String { (["operation \(number), \(title):"] + lines).joined(separator: "\n  ") }
  }

  /// The number of operations that the replay performed: actions, mixers, and the operations that these and their
  /// reactions submitted.
  public internal(set) var performed = 0
  /// The number of operations that could not be performed again, so that their recorded changes were applied: mixes
  /// from outside, and actions and mixers that the recording does not have completely.
  public internal(set) var applied = 0
  /// The first operation that differs from the recording; `nil` if no operation does.
  public internal(set) var difference: Difference?

  /// One line, followed by the lines of the difference.
  public var description: String {
    let what = "\(performed) operations performed again, \(applied) taken from the recording"
    return what + (difference.map { "\n\($0)" } ?? ", no difference")
  }
}
