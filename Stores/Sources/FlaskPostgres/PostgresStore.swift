public import FlaskSharing
internal import Foundation

/// Shared groups in a PostgreSQL database: the processes of many machines share them.
///
/// ```swift
/// let store = try PostgresStore("postgresql://books@db.example.org/books?sslmode=verify-full")
/// let books = SharedGroup("books", in: store)
/// ```
/// The text is a connection string of libpq. All of its settings count: several hosts, `sslmode`, `passfile`, `service`,
/// and the variables of the environment such as `PGPASSWORD`. No message repeats a password. If there are several
/// servers, the one is used that can be written; a service file has to say so itself (`target_session_attrs`), and its
/// time limits are those of this store. A connection that is lost is made again, after a tenth of a second up to two.
///
/// The server is PostgreSQL 13 or later, its database is encoded in UTF-8. The tables are made by the first process
/// whose role may make them, or by ``makeTables()``. Any program may read them; only Flask writes them. A commit is
/// durable when it returns: `synchronous_commit = off` is raised to `on`.
///
/// Behind a pooler such as `pgbouncer`, which may keep a connection for one transaction alone, nothing is listened to:
/// changes of others arrive within a second then, and ``delivery`` says so. Pass a direct connection as `listeningTo`
/// to hear of them at once.
///
/// A backup of `pg_dump --clean --if-exists -t 'flask_*'` is restored in one transaction, also while programs run, by
/// `psql -1 -v ON_ERROR_STOP=1`.
///
/// A turn is waited for ten seconds, and a transaction may take half a minute from its reading to its writing: so long
/// may the closures of `transact` take. A process that vanishes in a transaction loses its turn within that time, and
/// after a minute and a half if it vanishes while it sends.
///
/// Any thread may use a store. Calls block until the server has answered. It must not be used in a child process after
/// `fork`.
public final class PostgresStore: RecordStore {
  /// How a process hears of the commits of others.
  ///
  /// Later versions may add cases: a `switch` over it has an `@unknown default`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Delivery: Hashable, Sendable {
    /// The server reports commits at once.
    case hints
    /// The groups ask each second, for this reason.
    case polling(reason: String)
  }

  /// Where the database is, without user and password.
  public let location: String

  private let isReadOnly: Bool
  private let pool: PostgresPool
  private let hints: PostgresHints
  private let process = getpid()

  /// Makes a store. It connects when a group reads or writes.
  ///
  /// - Parameters:
  ///   - connection: a URI, or keywords with values, as libpq has them.
  ///   - isReadOnly: whether nothing is written, and nothing is made. The role needs `SELECT` alone then.
  ///   - connectionLimit: how many connections read and write at the same time, at most. A group uses one, for the length
  ///     of a transaction, in which it waits for its turn. One is kept for those that do not wait, if there are two. With
  ///     fewer connections than groups, groups wait for each other. One more listens.
  ///   - direct: the connection string of the server itself, if `connection` is that of a pooler.
  /// - Throws: `RecordStoreError.refused` if a connection string can't be read.
  public init(
    _ connection: String,
    isReadOnly: Bool = false,
    connectionLimit: Int = 4,
    listeningTo direct: String? = nil
  ) throws {
    precondition(connectionLimit > 0, "a store needs a connection")
    let settings = try PostgresSettings(connection, isReadOnly: isReadOnly)
    location = settings.location
    self.isReadOnly = isReadOnly
    let pool = PostgresPool(settings, limit: connectionLimit) { connection in
      try Self.prepare(connection, isReadOnly: isReadOnly)
    }
    self.pool = pool
    let listening = try direct.map { try PostgresSettings($0, isReadOnly: isReadOnly) } ?? settings
    hints = try PostgresHints(listening) { pool.retry() }
  }

  deinit { hints.end() }

  /// How this process hears of the commits of others at the moment. A group that has substances asks each second in any
  /// case.
  public var delivery: Delivery { hints.delivery }

  // MARK: Tables

  /// The statements that make the tables, for a role that may: they do nothing if the tables exist. A role that shares
  /// groups needs `SELECT, INSERT, UPDATE, DELETE` on them.
  public static var tables: String { PostgresStatements.tables }

  /// Makes the tables if they do not exist.
  ///
  /// - Throws: `RecordStoreError`.
  public func makeTables() throws {
    try perform { connection in try Self.makeTables(connection) }
  }

  private static func makeTables(_ connection: PostgresConnection) throws {
    let found = try found(connection)
    if found.tables, found.index { return }
    // Tables that are there may be in another schema than that in which this role would make some.
    let statements =
      found.tables
      ? [PostgresStatements.leaseIndex]
      : PostgresStatements.tables.split(separator: ";").map(String.init).filter {
        !$0.allSatisfy(\.isWhitespace)
      }
    let calls =
      [PostgresStatements.begin, PostgresStatements.tableLock] + statements + [PostgresStatements.commit]
    do {
      try connection.perform(calls.map { PostgresCall(text: $0) })
    } catch let failure as PostgresFailure {
      if !failure.isLost { try connection.perform([PostgresCall(text: PostgresStatements.rollback)]) }
      if failure.code == "42501" {
        throw RecordStoreError.unavailable(
          "the tables do not exist, or are those of an earlier version, and this role may not make them: "
            + "perform PostgresStore.tables with one that may"
        )
      }
      throw failure
    }
  }

  private static func found(_ connection: PostgresConnection) throws -> (tables: Bool, index: Bool) {
    let row = try connection.perform([PostgresCall(text: PostgresStatements.hasTables)])[0]
    return (row.bool(0, 0), row.bool(0, 1))
  }

  private static func prepare(_ connection: PostgresConnection, isReadOnly: Bool) throws {
    let found = try found(connection)
    if found.tables, found.index || isReadOnly { return }
    if isReadOnly { throw RecordStoreError.unavailable("no program has made the tables yet") }
    try makeTables(connection)
  }

  private func perform<Result>(
    mayWait: Bool = false,
    _ body: (PostgresConnection) throws -> Result
  ) throws -> Result {
    if getpid() != process {
      throw RecordStoreError.refused(
        "a connection must not be used in a child process after fork: open it there"
      )
    }
    return try pool.perform(mayWait: mayWait, body)
  }

  // MARK: Groups

  /// See `RecordStore`.
  public func read(_ query: RecordQuery) throws -> RecordTail {
    try requireText(query.group)
    return try perform { connection in
      let calls = PostgresReading.calls(query)
      if let tail = try read(calls, query, connection) { return tail }
      if isReadOnly {
        throw RecordStoreError.unavailable("no program has written the group \(query.group) yet")
      }
      try makeGroup(query.group, connection)
      guard let tail = try read(calls, query, connection) else {
        throw RecordStoreError.unavailable("the group can't be made")
      }
      return tail
    }
  }

  /// Reads at one moment. If all rows have to be read, that is another one.
  private func read(_ calls: [PostgresCall], _ query: RecordQuery, _ connection: PostgresConnection) throws
    -> RecordTail?
  {
    let begin = connection.beginningToRead
    let commit = PostgresCall(text: PostgresStatements.commit)
    func perform(_ calls: [PostgresCall]) throws -> [PostgresRows] {
      do {
        return Array(try connection.perform(begin + calls + [commit]).dropFirst(begin.count).dropLast())
      } catch let failure as PostgresFailure {
        rollBack(connection, after: failure)
        throw failure
      }
    }
    guard let reading = PostgresReading(query, try perform(calls)) else { return nil }
    if !reading.mustReadAll { return reading.tail() }
    let all = [PostgresReading.parts(query)]
    let rows = try perform(calls + all)
    return PostgresReading(query, rows.dropLast())?.tail(all: rows.last)
  }

  private func makeGroup(_ name: String, _ connection: PostgresConnection) throws {
    let call = PostgresCall(
      text: PostgresStatements.makeGroup,
      values: [.text(name), .text(UUID().uuidString)]
    )
    try write([call], connection)
  }

  /// Performs statements as a durable transaction.
  ///
  /// - Returns: the answer to the last one.
  @discardableResult
  private func write(_ statements: [PostgresCall], _ connection: PostgresConnection) throws -> PostgresRows {
    let calls = connection.beginning + statements + [PostgresCall(text: PostgresStatements.commit)]
    do {
      return try connection.perform(calls)[calls.count - 2]
    } catch let failure as PostgresFailure {
      rollBack(connection, after: failure)
      throw failure
    }
  }

  private func requireText(_ text: String) throws {
    guard text.utf8.count <= 1000, !text.utf8.contains(0) else {
      throw RecordStoreError.refused("a name with U+0000, or with more than 1,000 bytes, can't be stored")
    }
  }

  private func rollBack(_ connection: PostgresConnection, after failure: PostgresFailure) {
    if failure.isLost { return }
    _ = try? connection.perform([PostgresCall(text: PostgresStatements.rollback)])
  }

  /// See `RecordStore`.
  public func transact(
    _ query: RecordQuery,
    _ decide: (RecordTail, _ fetch: @escaping ([RecordKey]) throws -> [SharedRecord]) throws -> RecordWrites?
  ) throws -> RecordPosition? {
    if isReadOnly { throw RecordStoreError.refused("the database was opened to read only") }
    try requireText(query.group)
    let position = try perform(mayWait: true) { connection in
      try PostgresTransaction(connection, query).perform(decide) { try makeGroup(query.group, connection) }
    }
    if position != nil { hints.send(query.group) }
    return position
  }

  /// See `RecordStore`.
  public func lease(_ name: String, holder: String, for duration: Duration) throws -> Fence? {
    if isReadOnly { throw RecordStoreError.refused("the database was opened to read only") }
    try requireText(name)
    let statement = duration > .zero ? PostgresStatements.lease : PostgresStatements.endLease
    var values = [PostgresValue.text(name), .text(holder)]
    if duration > .zero { values.append(.integer(Int(min(duration, .seconds(1 << 32)) / .milliseconds(1)))) }
    return try perform { connection in
      let calls = [
        PostgresCall(text: PostgresStatements.briefly), PostgresCall(text: statement, values: values),
      ]
      let rows = try write(calls, connection)
      guard duration > .zero, rows.count == 1, let number = rows.integer(0, 0) else { return nil }
      return Fence(name: name, number: Int64(number), holder: holder)
    }
  }

  /// See `RecordStore`.
  public func observe(_ group: String, _ hint: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
    hints.observe(group, hint)
  }
}
