internal import Foundation
internal import FlaskSharing
internal import GRDB

/// The connections to one file.
final class SQLiteConnection: Sendable {
  /// The size from which on the write-ahead log is written back to the database.
  private static let logLimit = 4 << 20

  private let path: String
  private let pool: DatabasePool
  private let identity: FileSystem.Identity?

  init(_ path: String, isReadOnly: Bool) throws {
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

  /// Writes a long log back to the database. The caller has the turn.
  func checkpointIfDue() {
    let size = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
    guard let size, size > Self.logLimit else { return }
    // What can't be written back now, since a reader needs it, is written back after a later commit.
    _ = try? pool.writeWithoutTransaction { db in try db.checkpoint(.restart) }
  }
}
