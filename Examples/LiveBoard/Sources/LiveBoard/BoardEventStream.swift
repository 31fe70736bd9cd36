import FlaskFeed
import FlyingFox
import FlyingSocks
import Synchronization

/// The board for one browser, as server-sent events.
///
/// It takes the next one when the last has been written, so a browser that does not read holds up nothing; when it reads
/// again, it gets all that it missed as one patch, or the state if that was too much.
struct BoardEventStream: AsyncBufferedSequence {
  typealias Element = UInt8

  let feed: StateFeed<Board>
  let visit: BoardVisit
  /// What the browser has.
  let place: FeedPlace?

  func makeAsyncIterator() -> Iterator {
    Iterator(visit: visit, events: feed.events(after: place).makeAsyncIterator())
  }

  struct Iterator: AsyncBufferedIteratorProtocol {
    let visit: BoardVisit
    var events: StateFeed<Board>.Events.Iterator

    mutating func next() async -> UInt8? { nil }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      guard let event = try await events.next() else { return nil }
      return Array("event: \(event.kind)\nid: \(event.place)\ndata: ".utf8) + event.json + Array("\n\n".utf8)
    }
  }
}

/// How many browsers there are.
final class BoardVisits: Sendable {
  private let number = Atomic<Int>(0)

  var count: Int { number.load(ordering: .relaxed) }

  func add(_ difference: Int) { number.add(difference, ordering: .relaxed) }
}

/// A browser, counted until this is released.
final class BoardVisit: Sendable {
  private let visits: BoardVisits

  init(_ visits: BoardVisits) {
    self.visits = visits
    visits.add(1)
  }

  deinit { visits.add(-1) }
}
