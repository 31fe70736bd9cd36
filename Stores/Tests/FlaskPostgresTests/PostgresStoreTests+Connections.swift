import FlaskPostgres
import FlaskSharing
import FlaskTesting
import Flask
import Foundation
import Synchronization
import Testing

// Connections, turns and limits.
extension PostgresStoreTests {
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

  @Test func `a lease is renewed, and not taken, while a transaction under it is in progress`() throws {
    let (here, there) = (try PostgresStore(server.url()), try PostgresStore(server.url()))
    let name = UUID().uuidString
    let fence = try here.lease(name, holder: "one", for: .milliseconds(1))
    _ = try here.transact(RecordQuery(group: name, leases: [name])) { tail, _ in
      #expect(tail.leases[name] == fence)
      let renewed = try there.lease(name, holder: "one", for: .milliseconds(1))
      #expect(renewed == fence)
      return nil
    }
  }

  @Test func `P7: of two observers one may end, and the other is still told`() async throws {
    let database = try server.database()
    let (here, there) = (try PostgresStore(server.url(database)), try PostgresStore(server.url(database)))
    let (first, second) = (Counter(), Counter())
    var ended: (any AnyObject)? = here.observe("books") { first.add() }
    let kept = here.observe("books") { second.add() }
    while here.delivery != .hints { try await Task.sleep(for: .milliseconds(10)) }
    withExtendedLifetime(ended) {}
    ended = nil
    let (before, told) = (first.count, second.count)
    _ = try there.transact(RecordQuery(group: "books")) { _, _ in
      RecordWrites(commits: [.init(token: "one", touched: [])], version: 0)
    }
    while second.count == told { try await Task.sleep(for: .milliseconds(10)) }
    #expect(first.count == before)
    withExtendedLifetime(kept) {}
  }

  @Test func `P8: announcements that fail do not fail a write, and changes arrive`() async throws {
    let database = try server.database()
    let role = "r" + database
    try server.sql(
      "CREATE ROLE \(role) LOGIN PASSWORD 'x1234'; GRANT ALL ON SCHEMA public TO \(role); "
        + "REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM public",
      in: database
    )
    let url = server.url(database, user: role, password: "x1234")
    let (here, there) = (try Program(url), try Program(url))
    for number in 1...3 {
      there.ledger.mix { $0.title = "\(number)" }
      try await here.group.reached(try await there.group.save())
      #expect(here.ledger.state.title == "\(number)")
    }
  }

  @Test func `P9, P10: numbers are those of the order, and one that was rolled back is given again`() throws {
    struct Refused: Error {}
    let store = try PostgresStore(server.url())
    let query = RecordQuery(group: UUID().uuidString)
    var numbers: [Int] = []
    for round in 0..<20 {
      #expect(throws: Refused.self) { try store.transact(query) { _, _ in throw Refused() } }
      let position = try store.transact(query) { tail, _ in
        #expect(tail.head.number == round)
        return RecordWrites(commits: [.init(token: "\(round)", touched: [])], version: 0)
      }
      numbers.append(position?.number ?? 0)
    }
    #expect(numbers == Array(1...20))
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

  @Test func `rows are found by keys, in tables that nobody has analyzed, however far behind a process is`()
    async throws
  {
    let database = try server.database()
    let store = try PostgresStore(server.url(database))
    let keys = (0..<5000).map { RecordKey(part: "ledger", path: "rows", id: "\($0)") }
    var first: RecordPosition?
    for round in 0..<20 {
      let position = try store.transact(RecordQuery(group: "books", keys: [keys[round]])) { _, _ in
        let rows = keys[(round * 250)..<(round * 250 + 250)].map {
          SharedRecord(key: $0, order: "V0000000", version: 0, body: "1")
        }
        return RecordWrites(
          commits: [.init(token: "\(round)", touched: rows.map(\.key))],
          rows: rows,
          version: 0
        )
      }
      first = first ?? position
    }
    _ = try store.read(RecordQuery(group: "books", since: first, parts: ["ledger"]))
    _ = try store.transact(RecordQuery(group: "books", since: first, parts: ["ledger"])) { _, _ in
      RecordWrites(
        commits: [.init(token: "last", touched: nil)],
        removed: [keys[7]],
        orders: [keys[8]: "V0000001"],
        version: 0
      )
    }
    // What a connection has done is counted at its end at the latest.
    try terminate(database, "true")
    let scans = "SELECT seq_scan, idx_scan FROM pg_stat_user_tables WHERE relname = 'flask_row'"
    var found = ""
    while found.hasSuffix("|0") || found.isEmpty { found = try server.sql(scans, in: database).first ?? "" }
    // One was the making of the key.
    #expect(found.hasPrefix("1|"))
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
