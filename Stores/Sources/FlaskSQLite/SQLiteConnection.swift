internal import Foundation
internal import FlaskSharing
internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// The connections to one file.
final class SQLiteConnection: Sendable {
  /// The size from which on the write-ahead log is written back to the database.
  private static let logLimit = 4 << 20

  private let path: String
  private let pool: DatabasePool
  private let identity: FileSystem.Identity?
  /// The size of the log from which on it is written back.
  private let due = Mutex(SQLiteConnection.logLimit)

  /// - Parameter makesTables: whether tables are made that do not exist. A file that was put in place of another has them.
  init(_ path: String, isReadOnly: Bool, makesTables: Bool) throws {
    self.path = path
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = .timeout(10)
    configuration.label = "FlaskSQLite"
    do {
      pool = try DatabasePool(path: path, configuration: configuration)
      identity = FileSystem.identity(of: path)
      if isReadOnly { return }
      try pool.writeWithoutTransaction { db in
        // After the pool has opened, since it sets NORMAL then.
        try db.execute(sql: "PRAGMA synchronous = FULL")
        try db.execute(sql: "PRAGMA fullfsync = 1")
        // Checkpoints are done in turn.
        try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        let synchronous = try Int.fetchOne(db, sql: "PRAGMA synchronous")
        let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode")
        guard synchronous == 2, mode?.lowercased() == "wal" else {
          throw RecordStoreError.refused("SQLite does not accept synchronous = FULL with a write-ahead log")
        }
        // A process that may not write the folder can read the database only if the log is there.
        var isPersistent: CInt = 1
        sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
        guard try makesTables || db.tableExists("flask_group") else {
          throw RecordStoreError.unavailable("the file \(path) is no database of shared groups")
        }
        try db.inTransaction(.immediate) {
          try db.makeTables()
          return .commit
        }
      }
    } catch let error as DatabaseError {
      throw RecordStoreError(error)
    }
    FileSystem.protect([path, path + "-wal", path + "-shm"])
  }

  /// Whether the file is still the one that is open.
  var isAtPath: Bool { identity != nil && FileSystem.identity(of: path) == identity }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result { try pool.read(body) }

  /// Performs `body`, which begins a transaction. If it has not committed, nothing is written.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try pool.writeWithoutTransaction { db in
      do {
        let result = try body(db)
        if db.isInsideTransaction { try db.rollback() }
        return result
      } catch {
        if db.isInsideTransaction { try? db.rollback() }
        throw error
      }
    }
  }

  /// Writes a long log back to the database, and cuts it. The caller has the turn. If a reader needs the log, it is
  /// tried again once the log has grown as much again.
  func checkpointIfDue() {
    guard logSize > due.withLock({ $0 }) else { return }
    _ = try? pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA busy_timeout = 5")
      defer { try? db.execute(sql: "PRAGMA busy_timeout = 10000") }
      _ = try db.checkpoint(.truncate)
    }
    let next = max(Self.logLimit, logSize + Self.logLimit)
    due.withLock { $0 = next }
  }

  private var logSize: Int {
    var status = stat()
    return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }
}
