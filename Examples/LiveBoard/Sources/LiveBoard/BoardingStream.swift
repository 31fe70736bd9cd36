import FlaskActions
import FlaskViews
import FlyingFox
import FlyingSocks
import Foundation

/// The flights that board, in the order of their names, for one browser: first all of them, then what has changed.
///
/// They are a live view of the board. A browser that is slow gets the changes of several commits as one.
struct BoardingStream: AsyncBufferedSequence {
  typealias Element = UInt8

  let view: LiveView<Departure>

  init(of store: BoardStore) {
    view = store.view(\.departures).filter { $0.status == .boarding }.sorted { $0.flight }
  }

  func makeAsyncIterator() -> Iterator { Iterator(changes: view.elementChanges().makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var changes: ElementChangesSequence<ViewRows<Departure>>.Iterator

    mutating func next() async -> UInt8? { nil }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      guard let changes = await changes.next() else { return nil }
      return try Array("event: changes\ndata: ".utf8) + JSONEncoder().encode(BoardingChanges(changes))
        + Array("\n\n".utf8)
    }
  }
}

/// Changes of a list as a browser applies them: it removes, then it inserts, then it replaces.
struct BoardingChanges: Codable, Equatable {
  struct Placed: Codable, Equatable {
    let offset: Int
    let departure: Departure
  }

  /// From the last to the first.
  let removed: [Int]
  /// From the first to the last.
  let inserted: [Placed]
  let updated: [Placed]

  init(_ changes: ElementChanges<Departure>) {
    removed = (changes.removals.map(\.offset) + changes.moves.map(\.oldOffset)).sorted(by: >)
    let coming =
      changes.insertions.map { Placed(offset: $0.offset, departure: $0.element) }
      + changes.moves.map { Placed(offset: $0.newOffset, departure: $0.element) }
    inserted = coming.sorted { $0.offset < $1.offset }
    updated = changes.updates.map { Placed(offset: $0.newOffset, departure: $0.element) }
  }
}
