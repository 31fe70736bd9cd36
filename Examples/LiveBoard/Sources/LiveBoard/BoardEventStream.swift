import FlyingFox
import FlyingSocks

/// The board for one browser, as server-sent events.
///
/// It takes the next one when the last has been written, so a browser that does not read holds up nothing; when it reads
/// again, it gets all that it missed as one patch, or the state if that was too much.
struct BoardEventStream: AsyncBufferedSequence {
  typealias Element = UInt8

  let visit: BoardVisit
  /// The version that the browser has.
  let known: Int?
  /// Tells the versions of this run from those of another.
  let run: String

  func makeAsyncIterator() -> Iterator { Iterator(visit: visit, known: known, run: run) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    let visit: BoardVisit
    var known: Int?
    let run: String

    mutating func next() async -> UInt8? { nil }

    mutating func nextBuffer(suggested count: Int) async -> [UInt8]? {
      guard let (event, version) = await visit.feed.next(after: known) else { return nil }
      known = version
      let (name, data) =
        switch event {
        case .state(let data): ("state", data)
        case .patch(let data): ("patch", data)
        }
      return Array("event: \(name)\nid: \(run)-\(version)\ndata: \(data)\n\n".utf8)
    }
  }
}

/// A browser, counted until this is released.
final class BoardVisit: Sendable {
  let feed: BoardFeed

  init(_ feed: BoardFeed) async {
    self.feed = feed
    await feed.beginReading()
  }

  deinit { Task { [feed] in await feed.endReading() } }
}
