import Flask
import FlaskPostgres
import FlaskSharing
import Foundation
import Synchronization
import Testing

/// The cases of the contract of shared groups, by number, against a server. That of a file (14) is
/// among the tests of SQLite, and that of a standby (13) among those of servers.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct PostgresCasesTests {
  let server: PostgresServer
  let database: String
  let a: BookProcess
  let b: BookProcess

  init() async throws {
    server = try PostgresServer.shared.get()
    database = try server.database()
    a = try BookProcess(server.url(database))
    a.book.mix { $0.rows = Entities((1...3).map { BookRow(id: $0) }) }
    let place = try await a.group.save()
    b = try BookProcess(server.url(database))
    try await b.group.reached(place)
  }

  /// Both have all.
  func settle() async throws {
    for _ in 0..<2 {
      try await b.group.reached(try await a.group.save(timeout: .seconds(20)))
      try await a.group.reached(try await b.group.save(timeout: .seconds(20)))
    }
    #expect(a.book.state == b.book.state)
    #expect(a.total.state == b.total.state)
    let count = try commits
    try await a.group.save()
    try await b.group.save()
    #expect(try commits == count)
  }

  var commits: String {
    get throws { try server.sql("SELECT max(seq) FROM flask_commit", in: database)[0] }
  }

  @Test func `1: a commit is cut but done, another edits the row: the edit stays`() async throws {
    a.store.failure = .cutAfter
    a.book.mix { $0.rows[id: 1]?.x = 1 }
    await #expect(throws: SharingError.self) { try await a.group.save() }
    try await b.group.opened()
    b.book.mix { $0.rows[id: 1]?.x = 2 }
    try await b.group.save()
    a.store.failure = nil
    try await settle()
    #expect(a.book.state.rows[id: 1]?.x == 2)
  }

  @Test func `2: a commit is cut but done, another removes the row: it stays removed`() async throws {
    a.store.failure = .cutAfter
    a.book.mix { $0.rows[id: 1]?.x = 1 }
    await #expect(throws: SharingError.self) { try await a.group.save() }
    try await b.group.opened()
    b.book.mix { $0.rows.remove(id: 1) }
    try await b.group.save()
    a.store.failure = nil
    try await settle()
    #expect(a.ids == [2, 3])
  }

  @Test func `3: a commit is cut and not done: it is written once`() async throws {
    let before = try commits
    a.store.failure = .cutBefore
    a.book.mix { $0.rows.append(BookRow(id: 4)) }
    await #expect(throws: SharingError.self) { try await a.group.save() }
    #expect(try commits == before)
    a.store.failure = nil
    try await settle()
    #expect(try Int(commits) == Int(before).map { $0 + 1 })
    #expect(b.ids == [1, 2, 3, 4])
  }

  @Test func `4: what another has written stays while the flux here is locked, however often it saves`()
    async throws
  {
    try await a.book.flux.withLock {
      b.book.mix { $0.rows.append(BookRow(id: 4)) }
      try await b.group.save()
      for _ in 1...3 { try await a.group.save() }
    }
    try await settle()
    #expect(a.ids == [1, 2, 3, 4])
  }

  @Test func `7: one removes a row, another has edited it: it is removed, and that is reported`() async throws
  {
    try await b.offline {
      b.book.mix { $0.rows[id: 1]?.x = 1 }
      a.book.mix { $0.rows.remove(id: 1) }
      try await a.group.save()
    }
    try await settle()
    #expect(b.ids == [2, 3])
    #expect(b.messages.contains { $0.contains("dropped") })
  }

  @Test func `8: one edits a row, another has removed it: it is removed`() async throws {
    try await a.offline {
      a.book.mix { $0.rows.remove(id: 1) }
      b.book.mix { $0.rows[id: 1]?.x = 1 }
      try await b.group.save()
    }
    try await settle()
    #expect(b.ids == [2, 3])
  }

  @Test func `9: one removes a row and puts it back: an edit of another is applied to it`() async throws {
    try await b.offline {
      b.book.mix { $0.rows[id: 2]?.y = 7 }
      a.book.mix { $0.rows.remove(id: 2) }
      try await a.group.save()
      a.book.mix { $0.rows.insert(BookRow(id: 2, x: 5), at: 1) }
      try await a.group.save()
    }
    try await settle()
    #expect(a.book.state.rows[id: 2] == BookRow(id: 2, x: 5, y: 7))
    #expect(a.ids == [1, 2, 3])
  }

  @Test func `10: after a pause beyond the horizon an edit of a removed row is dropped, an insertion kept`()
    async throws
  {
    try await b.offline {
      b.book.mix {
        $0.rows[id: 1]?.x = 1
        $0.rows.append(BookRow(id: 9))
      }
      a.book.mix { $0.rows.remove(id: 1) }
      try await a.group.save()
      try server.sql("UPDATE flask_commit SET at = at - interval '2 days'", in: database)
      // The list is cut each 64 commits.
      for number in 1...70 {
        a.book.mix { $0.title = number }
        try await a.group.save()
      }
      #expect(try server.sql("SELECT horizon > 2 FROM flask_group", in: database) == ["t"])
    }
    try await settle()
    #expect(b.ids == [2, 3, 9])
    #expect(b.book.state.title == 70)
  }

  @Test func `12, P12: a backup is restored while programs run: all have it, with what was pending`()
    async throws
  {
    let backup = server.folder + "/\(database).sql"
    try PostgresServer.run(
      "pg_dump",
      ["-h", server.folder, "-p", "\(server.port)", "-U", "flask", "-d", database, "--clean", "-f", backup]
    )
    a.book.mix {
      $0.rows.append(BookRow(id: 4))
      $0.title = 1
    }
    try await a.group.save()
    try await settle()
    try await b.offline {
      b.book.mix {
        $0.rows.append(BookRow(id: 5))
        $0.rows[id: 4]?.x = 1
        $0.rows[id: 1]?.x = 1
      }
      try PostgresServer.run(
        "psql",
        [
          "-h", server.folder, "-p", "\(server.port)", "-U", "flask", "-d", database, "-q", "-1", "-v",
          "ON_ERROR_STOP=1", "-f", backup,
        ]
      )
    }
    try await a.group.opened()
    try await b.group.opened()
    try await settle()
    #expect(a.ids == [1, 2, 3, 5])
    #expect(a.book.state.rows[id: 1]?.x == 1)
    #expect(a.book.state.title == 0)
    for process in [a, b] { #expect(process.group.status.state.restorations == 1) }
  }

  @Test func `15: two append a hundred each: all are there, blocks together, in one order everywhere`()
    async throws
  {
    try await b.offline {
      a.book.mix { $0.rows.append(contentsOf: (100..<200).map { BookRow(id: $0) }) }
      b.book.mix { $0.rows.append(contentsOf: (200..<300).map { BookRow(id: $0) }) }
      try await a.group.save()
    }
    try await settle()
    #expect(a.ids == [1, 2, 3] + Array(100..<300))
  }

  @Test func `17: one moves a row, another edits it: both hold`() async throws {
    try await b.offline {
      b.book.mix { $0.rows[id: 3]?.x = 1 }
      a.book.mix { $0.rows.move(id: 3, to: 0) }
      try await a.group.save()
    }
    try await settle()
    #expect(b.ids == [3, 1, 2])
    #expect(a.book.state.rows[id: 3]?.x == 1)
  }

  @Test func `18, P20: an older program edits a row that has a newer one's key: the key stays`() async throws
  {
    let store = try PostgresStore(server.url(database))
    let key = RecordKey(part: "book", path: "rows", id: "2")
    _ = try store.transact(RecordQuery(group: "books", keys: [key])) { tail, _ in
      var record = try #require(tail.rows.first)
      record.body = #"{"id":2,"x":1,"y":0,"z":"new"}"#
      return RecordWrites(commits: [.init(token: "newer", touched: [key])], rows: [record], version: 0)
    }
    try await a.group.opened()
    a.book.mix { $0.rows[id: 2]?.y = 7 }
    try await settle()
    let body = try server.sql("SELECT body FROM flask_row WHERE id = '2'", in: database)
    #expect(body == [#"{"id":2,"x":1,"y":7,"z":"new"}"#])
  }

  @Test func `19: two book the last seat: one throws; the same key is performed once`() async throws {
    struct SoldOut: Error {}
    a.book.mix { $0.title = 1 }
    try await settle()
    @Sendable func book(_ process: BookProcess, once key: String) async throws -> Int? {
      try await process.group.transact(process.book, once: key) { book in
        guard book.title > 0 else { throw SoldOut() }
        book.title -= 1
        return book.title
      }
    }
    async let first = book(a, once: "order 1")
    async let second = book(b, once: "order 2")
    let results = [try? await first, try? await second]
    #expect(results.compactMap { $0 } == [0])
    let performed = results[0] != nil ? "order 1" : "order 2"
    #expect(try await book(b, once: performed) == nil)
    try await settle()
    #expect(b.book.state.title == 0)
  }

  @Test func `20: a mix over two substances is seen whole, by hints and without them`() async throws {
    let torn = Mutex(0)
    let book = b.book
    let total = b.total
    let observation = b.total.observe(\.sum) { _, _ in
      if book.state.title != total.state.sum { torn.withLock { $0 += 1 } }
    }
    for number in 1...50 {
      Flask.mix(a.book, a.total) { book, total in
        book.title = number
        total.sum = number
      }
      try await a.group.save()
    }
    try await settle()
    #expect(b.total.state.sum == 50)
    #expect(torn.withLock { $0 } == 0)
    withExtendedLifetime(observation) {}
  }
}
