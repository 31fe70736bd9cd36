import Flask
import FlaskPostgres
import FlaskSharing
import FlaskTesting
import Foundation
import Synchronization
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled)) struct PostgresStoreTests {
  let server: PostgresServer

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
    "postgresql://flask:se@same@host/books", "dbname=postgresql://flask:sesame@host/books",
    "host=a password='sesame", "sesame",
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

  @Test func `tables of an earlier version get what they lack, where they are, and are read without it`()
    async throws
  {
    let database = try server.database()
    let owner = try Program(server.url(database))
    owner.ledger.mix { $0.title = "May" }
    try await owner.group.save()
    let role = "r" + database
    try server.sql(
      "DROP INDEX flask_lease_fence; CREATE ROLE \(role) LOGIN PASSWORD 'x1234'; "
        + "CREATE SCHEMA \(role) AUTHORIZATION \(role); GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(role)",
      in: database
    )
    let url = server.url(database, user: role, password: "x1234")
    let reader = try PostgresStore(url, isReadOnly: true)
    #expect(try reader.read(RecordQuery(group: "books", newParts: ["ledger"])).rows.count == 1)
    // A role that may not change them makes none of its own.
    #expect(throws: RecordStoreError.self) { try PostgresStore(url).read(RecordQuery(group: "books")) }
    #expect(
      try server.sql("SELECT count(*) FROM pg_tables WHERE schemaname = '\(role)'", in: database) == ["0"]
    )
    try PostgresStore(server.url(database)).makeTables()
    #expect(try server.sql("SELECT to_regclass('flask_lease_fence') IS NOT NULL", in: database) == ["t"])
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
}
