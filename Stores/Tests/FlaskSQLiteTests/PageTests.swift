import Flask
import FlaskSQLite
import FlaskSharing
import Foundation
import Testing

/// The programs of docs/sharing.md and docs/guides/servers.md that need the store.
@Suite struct PageTests {
  struct Entry: FlaskState, Identifiable {
    var id = UUID()
    var text = ""
    var amount = 0
  }

  struct Ledger: FlaskState {
    var title = ""
    var entries: Entities<Entry> = []
  }

  func open(_ file: URL) throws -> (SharedGroup, Substance<Ledger>) {
    let books = SharedGroup("books", in: try SQLiteStore(at: file))
    return (books, Substance<Ledger>(name: "ledger", archive: true, in: books))
  }

  @Test func `the group of the page is saved and read`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "books.sqlite")
    try await Flux.$current.withValue(Flux()) {
      let (books, ledger) = try open(file)
      ledger.mix { $0.entries.append(Entry(text: "rent")) }
      try await books.save()
      let (_, copy) = try open(file)
      #expect(copy.state.entries.map(\.text) == ["rent"])
    }
  }
}
