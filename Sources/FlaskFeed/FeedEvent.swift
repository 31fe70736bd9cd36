public import Foundation

/// What somebody who follows a state is told.
public struct FeedEvent: Sendable, Hashable {
  /// What the event has.
  public enum Kind: String, Sendable, Hashable {
    /// The whole state, to begin with, or to begin anew.
    case state
    /// What is different from what was told before, as JSON Patch (RFC 6902).
    case patch
  }

  /// What it has.
  public let kind: Kind
  /// That as JSON in UTF-8.
  public let json: Data
  /// Where the reader stands once it has it.
  public let place: FeedPlace
}
