public import Foundation

/// An event of a feed: the state or a patch, for a reader that follows the state.
public struct FeedEvent: Sendable, Hashable {
  /// The kind of content.
  ///
  /// Later versions may add cases: a `switch` over it has an `@unknown default`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Kind: String, Sendable, Hashable {
    /// The whole state, at the start or after a gap.
    case state
    /// The changes since the previous event, as JSON Patch (RFC 6902).
    case patch
  }

  /// The kind of content.
  public let kind: Kind
  /// The content as JSON in UTF-8.
  public let json: Data
  /// The position of the reader in the feed after this event.
  public let place: FeedPlace
}
