import Flask
import FlaskSharing
import FlaskSQLite
import FlaskTesting
import Foundation
import GRDB
import Testing

@Suite struct SQLiteStoreTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appending(path: "books.sqlite")
  }

  struct Entry: Codable, Identifiable, Sendable, Equatable {
    var id: UUID = UUID()
    var title = ""
  }

  struct Ledger: FlaskState, Equatable {
    var title = ""
    var entries: Entities<Entry> = []
  }

  private func open(_ body: (SharedGroup, Substance<Ledger>) async throws -> Void) async throws {
    let store = try SQLiteStore(at: file)
    let (group, ledger) = Flux.$current.withValue(Flux()) {
      let group = SharedGroup("books", in: store)
      return (group, Substance<Ledger>(name: "ledger", archive: true, in: group))
    }
    try await body(group, ledger)
  }

  private func titles() throws -> [String] {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    return try DatabaseQueue(path: file.path, configuration: configuration).read { db in
      try String.fetchAll(db, sql: "SELECT body ->> 'title' FROM flask_row ORDER BY path, ord")
    }
  }

  @Test func `the store conforms`() throws {
    try RecordStoreConformance { try SQLiteStore(at: file) }.check()
  }

  @Test func `two groups of one database share a state, and a hint comes at once`() async throws {
    try await open { here, ledger in
      try await open { there, other in
        ledger.mix {
          $0.title = "May"; $0.entries.append(Entry(title: "rent"))
        }
        let place = try await here.save()
        try await there.reached(place, timeout: .seconds(5))
        #expect(other.state == ledger.state)
        let sold = try await there.transact(other) { ledger in
          ledger.entries.append(Entry(title: "food"))
          return ledger.entries.count
        }
        #expect(sold == 2)
        #expect(other.state.entries.count == 2)
        try await here.reached(try await there.save(), timeout: .seconds(5))
        #expect(other.state == ledger.state)
      }
    }
    try await open { _, ledger in #expect(ledger.state.entries.map(\.title) == ["rent", "food"]) }
  }

  @Test func `the rows can be read by anybody`() async throws {
    try await open { group, ledger in
      ledger.mix {
        $0.title = "May"; $0.entries.append(Entry(title: "rent"))
      }
      try await group.save()
    }
    #expect(try titles() == ["May", "rent"])
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `a store that is read only reads what another writes, and refuses to write`() async throws {
    #expect(throws: RecordStoreError.self) { try SQLiteStore(at: file, isReadOnly: true) }
    try await open { group, ledger in
      ledger.mix { $0.title = "May" }
      try await group.save()
      let store = try SQLiteStore(at: file, isReadOnly: true)
      // What is mixed is not saved, which is a fault in the end.
      let flux = Flux()
      flux.onFault = { _ in }
      let (widget, copy) = Flux.$current.withValue(flux) {
        let widget = SharedGroup("books", in: store, isReadOnly: true)
        return (widget, Substance<Ledger>(name: "ledger", archive: true, in: widget))
      }
      #expect(copy.state.title == "May")
      copy.mix { $0.title = "June" }
      await #expect(throws: SharingError.self) { try await widget.save() }
      try await widget.opened()
    }
  }

  @Test func `a file that is no database is refused, and stays`() throws {
    let text = Data("this is a text, and no database, and long enough for a header of one".utf8)
    try text.write(to: file)
    #expect(throws: RecordStoreError.self) { try SQLiteStore(at: file) }
    #expect(try Data(contentsOf: file) == text)
    #expect(throws: RecordStoreError.self) {
      try SQLiteStore(at: folder.url.appending(path: "no/folder/x.sqlite"))
    }
  }

  @Test func `a long log is written back to the database`() async throws {
    try await open { group, ledger in
      for number in 0..<40 {
        let text = String(repeating: "\(number)", count: 200_000)
        ledger.mix { $0.title = text }
        try await group.save()
      }
      let size = try FileManager.default.attributesOfItem(atPath: file.path + "-wal")[.size] as? Int
      #expect(try #require(size) < 9 << 20)
    }
  }
}

final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "FlaskSQLite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
