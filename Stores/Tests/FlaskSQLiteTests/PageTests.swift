import Flask
import FlaskSQLite
import FlaskSharing
import Foundation
import Testing

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

func openToRead(_ file: URL) throws -> Substance<Ledger> {
  let store = try SQLiteStore(at: file, isReadOnly: true)  // throws before the app has made the file
  return Substance<Ledger>(
    name: "ledger",
    archive: true,
    in: SharedGroup("books", in: store, isReadOnly: true)
  )
}

/// The programs of docs/sharing.md that need the store.
@Suite struct PageTests {
  @Test func `the group of the page is saved and read`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "books.sqlite")
    try await Flux.$current.withValue(Flux()) {
      let (books, ledger) = try open(file)
      ledger.mix { $0.entries.append(Entry(text: "rent")) }
      try await books.save()
      let (_, copy) = try open(file)
      #expect(copy.state.entries.map(\.text) == ["rent"])
      #expect(try openToRead(file).state.entries.count == 1)
    }
  }
}
