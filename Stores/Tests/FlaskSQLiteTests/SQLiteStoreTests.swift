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

  private func open(
    faults: (@Sendable (FlaskFault) -> Void)? = nil,
    _ body: (SharedGroup, Substance<Ledger>) async throws -> Void
  ) async throws {
    let store = try SQLiteStore(at: file)
    let flux = Flux()
    flux.onFault = faults
    let (group, ledger) = Flux.$current.withValue(flux) {
      let group = SharedGroup("books", in: store)
      return (group, Substance<Ledger>(name: "ledger", archive: true, in: group))
    }
    try await body(group, ledger)
  }

  /// The database as another program has it. It waits: who closes the database last locks it for a moment.
  private func another() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    return try DatabaseQueue(path: file.path, configuration: configuration)
  }

  private func titles() throws -> [String] {
    try another().read { db in
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

  private func backUp(to backup: URL) throws { try another().vacuum(into: backup.path) }

  private func execute(_ sql: String) throws -> [Int] {
    try another().write { try Int.fetchAll($0, sql: sql) }
  }

  @Test func `old commits are removed from the front alone, so that a process of the middle reads all`()
    throws
  {
    let store = try SQLiteStore(at: file)
    var positions: [RecordPosition] = []
    func commit() throws {
      let position = try store.transact(RecordQuery(group: "books")) { _, _ in
        RecordWrites(commits: [.init(token: UUID().uuidString, touched: [])], version: 0)
      }
      positions.append(try #require(position))
    }
    for _ in 0..<60 { try commit() }
    // The clock was a month ahead for one commit, and all are two days old.
    _ = try execute("UPDATE flask_commit SET at = at - 172800 + (seq = 6) * 2764800")
    for _ in 0..<10 { try commit() }
    #expect(try execute("SELECT seq FROM flask_commit ORDER BY seq") == Array(61...70))
    let tail = try store.read(RecordQuery(group: "books", since: positions[5], parts: ["ledger"]))
    #expect(tail.scope == .everything(isRestored: false))
    #expect(tail.head.horizon == 61)
    let near = try store.read(RecordQuery(group: "books", since: positions[60], parts: ["ledger"]))
    #expect(near.scope == .changes(after: 61))
  }

  @Test func `14: the file is replaced between reading and commit: nothing is acknowledged`() throws {
    let store = try SQLiteStore(at: file)
    let moved = file.path + "-moved"
    #expect(throws: RecordStoreError.self) {
      try store.transact(RecordQuery(group: "books")) { _, _ in
        #expect(rename(file.path, moved) == 0)
        return RecordWrites(commits: [.init(token: "lost", touched: [])], version: 0)
      }
    }
    #expect(rename(moved, file.path) == 0)
    #expect(try store.read(RecordQuery(group: "books", tokens: ["lost"])).found.isEmpty)
  }

  @Test func `a database that was replaced is kept whole, and the restored one is its user's alone`()
    async throws
  {
    try await open { group, ledger in
      ledger.mix { $0.title = "May" }
      try await group.save()
    }
    let backup = folder.url.appending(path: "backup.sqlite")
    try backUp(to: backup)
    try await open(faults: { _ in }) { group, ledger in
      ledger.mix { $0.title = "June" }
      try await group.save()
      try SQLiteStore.replace(file, by: backup)
      let kept = SharedGroup("books", in: try SQLiteStore(at: URL(fileURLWithPath: file.path + "-replaced")))
      let old = Flux.$current.withValue(Flux()) { Substance<Ledger>(name: "ledger", archive: true, in: kept) }
      #expect(old.state.title == "June")
      try await group.opened()
      #expect(ledger.state.title == "May")
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test func `a file that was removed is not made again by a program that runs`() async throws {
    // The file that is made in the end is another database.
    try await open(faults: { _ in }) { group, ledger in
      ledger.mix { $0.title = "May" }
      try await group.save()
      for end in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: file.path + end) }
      ledger.mix { $0.title = "June" }
      await #expect(throws: SharingError.self) { try await group.save() }
      #expect(!FileManager.default.fileExists(atPath: file.path))
      #expect(ledger.state.title == "June")
      _ = try SQLiteStore(at: file)
      try await group.save(timeout: .seconds(20))
    }
  }

  @Test func `a substance can be made in the closure of a transaction`() async throws {
    try await open { group, ledger in
      let flux = ledger.flux
      let titles = try await group.transact(ledger) { ledger in
        ledger.title = "May"
        return Flux.$current.withValue(flux) {
          Substance<Ledger>(name: "another", archive: true, in: group).state.title
        }
      }
      #expect(titles?.isEmpty == true)
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
