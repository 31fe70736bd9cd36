import Flask
import FlaskPostgres
import FlaskSharing
import Foundation
import Testing

func openBooks(_ connection: String) throws -> (SharedGroup, Substance<Ledger>) {
  let books = SharedGroup("books", in: try PostgresStore(connection))
  return (books, Substance<Ledger>(name: "ledger", archive: true, in: books))
}

/// The programs of docs/sharing.md that need a server.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct PageTests {
  @Test func `the group of the page is saved and read`() async throws {
    let server = try PostgresServer.shared.get()
    let url = server.url(try server.database())
    try await Flux.$current.withValue(Flux()) {
      let (books, ledger) = try openBooks(url)
      ledger.mix { $0.entries.append(Entry(title: "rent")) }
      let place = try await books.save()
      let (other, copy) = try openBooks(url)
      try await other.reached(try #require(SharedPlace("\(place)")))
      #expect(copy.state.entries.map(\.title) == ["rent"])
    }
  }
}
