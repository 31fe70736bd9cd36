import Flask
import FlaskPostgres
import FlaskSharing
import Synchronization

struct BookRow: Codable, Identifiable, Sendable, Equatable {
  var id: Int
  var x = 0
  var y = 0
}

struct Book: FlaskState, Equatable {
  var title = 0
  var rows: Entities<BookRow> = []
}

struct Total: FlaskState, Equatable {
  var sum = 0
}

/// A process.
final class BookProcess: Sendable {
  let store: ScriptedStore
  let group: SharedGroup
  let book: Substance<Book>
  let total: Substance<Total>
  private let faults = Mutex<[String]>([])

  init(_ url: String) throws {
    let store = ScriptedStore(try PostgresStore(url))
    let flux = Flux()
    self.store = store
    (group, book, total) = Flux.$current.withValue(flux) {
      let group = SharedGroup("books", in: store)
      return (
        group, Substance<Book>(name: "book", archive: true, in: group),
        Substance<Total>(name: "total", archive: true, in: group)
      )
    }
    flux.onFault = { [weak self] fault in self?.faults.withLock { $0.append(fault.message) } }
  }

  var messages: [String] { faults.withLock { $0 } }
  var ids: [Int] { book.state.rows.map(\.id) }

  /// Is cut off while `body` is performed.
  func offline(_ body: () async throws -> Void) async throws {
    store.failure = .unreachable
    try await body()
    store.failure = nil
  }
}
