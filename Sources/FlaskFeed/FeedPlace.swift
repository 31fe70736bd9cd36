/// A position in a feed, from which a reader continues after a lost connection.
///
/// ```swift
/// feed.events(after: FeedPlace(request.headers["Last-Event-ID"] ?? ""))
/// ```
/// Its text consists of letters, digits and one hyphen. A place of another feed, or of another run of the process, is
/// not valid in this feed: its reader gets the whole state.
public struct FeedPlace: Sendable, Hashable, LosslessStringConvertible {
  let feed: UInt64
  /// The number of changes that come before this position in the feed.
  public let number: Int

  init(feed: UInt64, number: Int) { (self.feed, self.number) = (feed, number) }

  /// Creates the position that a text encodes; `nil` if the text encodes no position.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let feed = UInt64(parts[0], radix: 36), let number = Int(parts[1]), number >= 0
    else {
      return nil
    }
    self.init(feed: feed, number: number)
  }

  /// The text that encodes the place.
  public var description: String { "\(String(feed, radix: 36))-\(number)" }
}
