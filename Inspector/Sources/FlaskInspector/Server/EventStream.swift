internal import FlyingFox
internal import FlyingSocks

/// A feed as server-sent events: each batch when the one before has been written, so that a reader which does not read
/// holds up nobody but itself.
///
/// An event's number is that of the next line; a browser that comes back says it in `Last-Event-ID`.
struct EventStream: AsyncBufferedSequence {
  typealias Element = UInt8

  let visit: FeedVisit
  let start: FeedPlace?

  func makeAsyncIterator() -> Iterator { Iterator(visit: visit, start: start) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    private static let linesAtOnce = 1_000

    private let visit: FeedVisit
    private var place: FeedPlace
    private var isHeadDue: Bool
    private var isOver = false

    init(visit: FeedVisit, start: FeedPlace?) {
      self.visit = visit
      place = start ?? FeedPlace()
      isHeadDue = start == nil
    }

    mutating func next() async -> UInt8? { nil }

    mutating func nextBuffer(suggested count: Int) async -> [UInt8]? {
      if isOver { return nil }
      if isHeadDue {
        isHeadDue = false
        return EventStream.event("lines", await visit.feed.head, id: 0)
      }
      guard let batch = await visit.feed.next(after: place, limit: Iterator.linesAtOnce) else { return nil }
      place = batch.next
      isOver = batch.isLast
      var bytes: [UInt8] = []
      if !batch.lines.isEmpty { bytes += EventStream.event("lines", batch.lines, id: place.line) }
      if let live = batch.live { bytes += EventStream.event("lines", [live], id: nil) }
      if isOver { bytes += EventStream.event("end", [], id: nil) }
      return bytes
    }
  }

  /// One event, whose data is a JSON array. The lines hold no line breaks.
  private static func event(_ name: String, _ lines: [String], id: Int?) -> [UInt8] {
    var text = "event: \(name)\n"
    if let id { text += "id: \(id)\n" }
    text += "data: ["
    for (index, line) in lines.enumerated() {
      if index > 0 { text += "," }
      text += line
    }
    text += "]\n\n"
    return Array(text.utf8)
  }
}
