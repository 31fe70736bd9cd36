import Flask
import FlaskPostgres
import FlaskSharing
import FlaskTesting
import Foundation
import Synchronization
import Testing

struct Entry: Codable, Identifiable, Sendable, Equatable {
  var id: UUID = UUID()
  var title = ""
}

struct Ledger: FlaskState, Equatable {
  var title = ""
  var entries: Entities<Entry> = []
}

/// A process that shares the group `books`.
struct Program {
  let store: PostgresStore
  let group: SharedGroup
  let ledger: Substance<Ledger>

  init(_ url: String, _ name: String = "books", direct: String? = nil) throws {
    store = try PostgresStore(url, listeningTo: direct)
    let flux = Flux()
    flux.onFault = { _ in }
    let made = store
    (group, ledger) = Flux.$current.withValue(flux) {
      let group = SharedGroup(name, in: made)
      return (group, Substance<Ledger>(name: "ledger", archive: true, in: group))
    }
  }

  /// Waits until a condition holds. A test that waits in vain ends by the limit of its runner.
  func until(_ holds: () throws -> Bool) async throws {
    while try !holds() { try await Task.sleep(for: .milliseconds(10)) }
  }
}

@Suite(.enabled(if: PostgresServer.isInstalled)) struct PostgresStoreTests {
  private let server: PostgresServer

  init() throws { server = try PostgresServer.shared.get() }

  @Test func `the store conforms`() throws {
    let url = server.url()
    try RecordStoreConformance { try PostgresStore(url) }.check()
  }

  @Test func `P2: two processes share a state, also a text of 100,000 bytes`() async throws {
    let url = server.url(try server.database())
    let (here, there) = (try Program(url), try Program(url))
    let text = String(repeating: "é", count: 50_000)
    here.ledger.mix {
      $0.title = text
      $0.entries.append(Entry(title: "rent"))
    }
    try await there.group.reached(try await here.group.save())
    #expect(there.ledger.state == here.ledger.state)
    let count = try await there.group.transact(there.ledger) { ledger in
      ledger.entries.append(Entry(title: "food"))
      return ledger.entries.count
    }
    #expect(count == 2)
    try await here.group.reached(try await there.group.save())
    #expect(here.ledger.state == there.ledger.state)
    #expect(try Program(url).ledger.state == here.ledger.state)
  }

  @Test func `the rows can be read by psql`() async throws {
    let database = try server.database()
    let program = try Program(server.url(database))
    program.ledger.mix {
      $0.title = "May"
      $0.entries.append(Entry(title: "rent"))
    }
    try await program.group.save()
    let titles = try server.sql("SELECT body ->> 'title' FROM flask_row ORDER BY path, ord", in: database)
    #expect(titles == ["May", "rent"])
  }

  // MARK: Settings

  @Test(arguments: [
    "postgresql://flask:sesame@host/books?sesame=1", "postgresql://flask:se/same@host/books",
    "postgresql://flask:se@same@host/books", "host=a password='sesame", "sesame",
  ])
  func `a connection string that can't be read is refused, and not repeated`(_ text: String) {
    let error = #expect(throws: RecordStoreError.self) { try PostgresStore(text) }
    #expect(error?.description.contains("connection string") == true)
    #expect(error?.description.contains("same") == false)
  }

  @Test func `a wrong password is a reason, and no message has it`() async throws {
    let program = try Program(server.url(password: "abracadabra"))
    let error = await #expect(throws: SharingError.self) { try await program.group.opened() }
    #expect(error?.description.contains("password authentication failed") == true)
    #expect(error?.description.contains("abracadabra") == false)
    #expect(!program.store.location.contains("abracadabra"))
    #expect(program.store.location.contains("127.0.0.1:\(server.port), books"))
  }

  @Test func `a database of another encoding is refused`() throws {
    let database = try server.database("ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'")
    let store = try PostgresStore(server.url(database))
    let error = #expect(throws: RecordStoreError.self) { try store.read(RecordQuery(group: "books")) }
    #expect(error == .refused("the encoding of the database is LATIN1, and must be UTF8"))
  }

  @Test func `a role that may not make tables says so, and works once another one has made them`()
    async throws
  {
    let database = try server.database()
    let role = "r" + database
    try server.sql(
      "CREATE ROLE \(role) LOGIN PASSWORD 'x1234'; REVOKE CREATE ON SCHEMA public FROM public",
      in: database
    )
    let program = try Program(server.url(database, user: role, password: "x1234"))
    program.ledger.mix { $0.title = "May" }
    let error = await #expect(throws: SharingError.self) { try await program.group.save() }
    #expect(error?.description.contains("may not make them") == true)
    try PostgresStore(server.url(database)).makeTables()
    let tables = "flask_group, flask_commit, flask_row, flask_lease"
    try server.sql("GRANT SELECT, INSERT, UPDATE, DELETE ON \(tables) TO \(role)", in: database)
    try await program.group.save(timeout: .seconds(20))
    #expect(try Program(server.url(database)).ledger.state.title == "May")
  }

  @Test func `P19: a server that is read-only is waited for`() async throws {
    let database = try server.database()
    try await Program(server.url(database)).group.opened()
    try server.sql("ALTER DATABASE \(database) SET default_transaction_read_only = on", in: "postgres")
    let program = try Program(server.url(database))
    program.ledger.mix { $0.title = "May" }
    let error = await #expect(throws: SharingError.self) { try await program.group.save() }
    #expect(error?.description.contains("read-only") == true)
    try server.sql("ALTER DATABASE \(database) SET default_transaction_read_only = off", in: "postgres")
    try await program.group.save(timeout: .seconds(20))
  }

  @Test func `a store that is read only makes nothing, and reads`() async throws {
    let database = try server.database()
    let store = try PostgresStore(server.url(database), isReadOnly: true)
    #expect(throws: RecordStoreError.self) { try store.read(RecordQuery(group: "books")) }
    #expect(
      try server.sql("SELECT count(*) FROM pg_tables WHERE tablename LIKE 'flask%'", in: database) == ["0"]
    )
    let program = try Program(server.url(database))
    program.ledger.mix { $0.title = "May" }
    try await program.group.save()
    let tail = try store.read(RecordQuery(group: "books", newParts: ["ledger"]))
    #expect(tail.rows.count == 1)
    #expect(throws: RecordStoreError.refused("the database was opened to read only")) {
      try store.transact(RecordQuery(group: "books")) { _, _ in nil }
    }
  }

  // MARK: Connections

  private func terminate(_ database: String, _ condition: String) throws {
    try server.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)' "
        + "AND application_name = 'flask' AND \(condition)",
      in: "postgres"
    )
  }

  @Test func `a connection that was ended while idle is replaced without an error`() async throws {
    let database = try server.database()
    let program = try Program(server.url(database))
    for number in 0..<5 {
      program.ledger.mix { $0.title = "\(number)" }
      try await program.group.save()
      try terminate(database, "true")
    }
    #expect(try Program(server.url(database)).ledger.state.title == "4")
  }

  @Test
  func `a connection that is lost in a transaction: nothing is written, and the closure was called once`()
    throws
  {
    let database = try server.database()
    let store = try PostgresStore(server.url(database))
    let query = RecordQuery(group: "books")
    let before = try store.read(query).head
    var calls = 0
    let error = #expect(throws: RecordStoreError.self) {
      try store.transact(query) { _, _ in
        calls += 1
        try terminate(database, "state = 'idle in transaction'")
        return RecordWrites(commits: [.init(token: "lost", touched: [])], version: 0)
      }
    }
    #expect(calls == 1)
    if case .unavailable? = error {} else { Issue.record("\(String(describing: error))") }
    #expect(try store.read(query).head == before)
    _ = try store.transact(query) { tail, _ in
      #expect(tail.head == before)
      return nil
    }
  }

  @Test func `P3, P4: a listener that is ended listens again, and has all read again`() async throws {
    let database = try server.database()
    let program = try Program(server.url(database))
    try await program.group.opened()
    try await program.until { program.store.delivery == .hints }
    let hints = Counter()
    let observation = program.store.observe("another") { hints.add() }
    try terminate(database, "query LIKE 'LISTEN%'")
    try await program.until { hints.count > 0 }
    try await program.until { program.store.delivery == .hints }
    withExtendedLifetime(observation) {}
  }

  @Test func `P6: without a listener, the groups ask each second`() async throws {
    let database = try server.database()
    let nowhere = "postgresql://127.0.0.1:1/\(database)"
    let (here, there) = (
      try Program(server.url(database), direct: nowhere), try Program(server.url(database))
    )
    there.ledger.mix { $0.title = "May" }
    try await there.group.save()
    try await here.until { here.ledger.state.title == "May" }
    #expect(here.store.delivery != .hints)
  }

  @Test func `P15: a serialization failure is tried again, and a closure's changes are written once`()
    async throws
  {
    let database = try server.database()
    let program = try Program(server.url(database))
    try await program.group.opened()
    try server.sql(
      """
      CREATE SEQUENCE failures;
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('failures') < 3 THEN RAISE EXCEPTION 'try again' USING ERRCODE = '40001'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER fail BEFORE INSERT ON flask_commit FOR EACH ROW EXECUTE FUNCTION fail();
      """,
      in: database
    )
    let count = try await program.group.transact(program.ledger) { ledger in
      ledger.entries.append(Entry(title: "once"))
      return ledger.entries.count
    }
    #expect(count == 1)
    #expect(try Program(server.url(database)).ledger.state.entries.count == 1)
  }

  @Test func `a role with a stronger isolation: turns are what they are`() async throws {
    let database = try server.database()
    try server.sql(
      "ALTER DATABASE \(database) SET default_transaction_isolation = 'serializable'",
      in: "postgres"
    )
    let url = server.url(database)
    try RecordStoreConformance { try PostgresStore(url) }.check()
    // A transaction that waits for its turn sees what was committed meanwhile.
    let (first, second) = (try PostgresStore(url), try PostgresStore(url))
    let query = RecordQuery(group: "books", tokens: ["one"])
    _ = try first.read(query)
    let waiting = Mutex(false)
    let found = Mutex<[String: Int]>([:])
    let thread = Thread {
      _ = try? second.transact(query) { tail, _ in
        found.withLock { $0 = tail.found }
        return nil
      }
      waiting.withLock { $0 = true }
    }
    _ = try first.transact(query) { _, _ in
      thread.start()
      while try server.sql("SELECT count(*) FROM pg_locks WHERE NOT granted", in: database) == ["0"] {}
      return RecordWrites(commits: [.init(token: "one", touched: [])], version: 0)
    }
    while !waiting.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
    #expect(found.withLock { $0 } == ["one": 1])
  }

  @Test func `groups that wait for turns leave a connection to those that read`() async throws {
    let database = try server.database()
    let (holder, other) = (try PostgresStore(server.url(database)), try PostgresStore(server.url(database)))
    let names = (0..<6).map { "group \($0)" }
    for name in names { _ = try holder.read(RecordQuery(group: name)) }
    _ = try holder.transact(RecordQuery(group: names[0])) { _, _ in
      for _ in names {
        Thread { _ = try? other.transact(RecordQuery(group: names[0])) { _, _ in nil } }.start()
      }
      while try server.sql("SELECT count(*) FROM pg_locks WHERE NOT granted", in: database) != ["3"] {}
      #expect(try other.read(RecordQuery(group: names[1])).head.number == 0)
      #expect(try other.lease("mailer", holder: "one", for: .seconds(5)) != nil)
      return nil
    }
  }

  @Test func `the greatest version is stored`() throws {
    let store = try PostgresStore(server.url())
    let query = RecordQuery(group: UUID().uuidString)
    let key = RecordKey(part: "ledger")
    _ = try store.transact(query) { _, _ in
      let row = SharedRecord(key: key, order: "", version: 202_411_271_200, body: "1")
      return RecordWrites(
        commits: [.init(token: "one", touched: [key])],
        rows: [row],
        version: 202_411_271_200
      )
    }
    #expect(try store.read(query).head.version == 202_411_271_200)
  }

  @Test func `many megabytes are written and read`() throws {
    let store = try PostgresStore(server.url())
    let rows = (0..<30).map { number in
      SharedRecord(
        key: RecordKey(part: "ledger", path: "rows", id: "\(number)"),
        order: "V0000000",
        version: 0,
        body: "\"" + String(repeating: "\(number % 10)", count: 1 << 20) + "\""
      )
    }
    let query = RecordQuery(group: UUID().uuidString, newParts: ["ledger"])
    _ = try store.transact(query) { _, _ in
      RecordWrites(commits: [.init(token: "one", touched: nil)], rows: rows, version: 0)
    }
    #expect(Set(try store.read(query).rows) == Set(rows))
  }

  @Test func `other names than the server can have are refused`() throws {
    let store = try PostgresStore(server.url())
    for name in ["a\u{0}b", String(repeating: "x", count: 2000)] {
      #expect(throws: RecordStoreError.self) { try store.read(RecordQuery(group: name)) }
    }
  }
}

final class Counter: @unchecked Sendable {
  // `@unchecked Sendable`: `number` is guarded by `lock`.
  private let lock = NSLock()
  private var number = 0

  var count: Int { lock.withLock { number } }
  func add() { lock.withLock { number += 1 } }
}
