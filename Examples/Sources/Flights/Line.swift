/// A line of text: its number and its bytes, without the line break.
public struct Line: Sendable, Equatable {
  /// Counted from 1.
  public let number: Int
  /// `nil` if there were more than `LineSplitter.longestLine`.
  public let bytes: [UInt8]?
}
