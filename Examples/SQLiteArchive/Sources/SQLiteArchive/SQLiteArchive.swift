public import FlaskArchive
public import Foundation
internal import GRDB

/// Keeps archives in a table of an SQLite database, one row for each key.
///
/// An app that has a database already keeps the states of its substances in it:
/// ```swift
/// let archive = try SQLiteArchive(path: "app.sqlite")
/// let settings = Substance<Settings>(name: "settings", archive: true, in: archive)
/// ```
/// Any thread may call any method; GRDB performs them one after another. What is saved is durable when the call returns:
/// SQLite's `synchronous` is `FULL`, so it waits for the disk.
public struct SQLiteArchive: ArchiveBackend {
  /// The path of the file, or what tells one memory from another.
  public let location: String
  private let database: DatabaseQueue

  /// Opens a database, and makes it and its table if they are not there.
  ///
  /// - Throws: GRDB's `DatabaseError` if the file can't be opened, or is no database.
  public init(path: String) throws {
    try self.init(DatabaseQueue(path: path, configuration: SQLiteArchive.configuration), location: path)
  }

  /// Makes an empty database in memory, which goes with the last copy of this value.
  public init() throws {
    try self.init(DatabaseQueue(), location: "memory \(UUID())")
  }

  private init(_ database: DatabaseQueue, location: String) throws {
    self.database = database
    self.location = "SQLite \(location)"
    // Keys are bytes, so that SQLite neither folds their case nor ends them at a zero.
    try database.write {
      try $0.execute(
        sql: "CREATE TABLE IF NOT EXISTS archive (key BLOB PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID"
      )
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    return configuration
  }

  /// The bytes in the row of a key.
  public func load(_ key: String) throws -> Data? {
    try database.read {
      try Data.fetchOne($0, sql: "SELECT bytes FROM archive WHERE key = ?", arguments: [bytes(of: key)])
    }
  }

  /// Writes the row of a key in a transaction of its own.
  public func save(_ data: Data, for key: String) throws {
    try database.write {
      try $0.execute(
        sql:
          "INSERT INTO archive (key, bytes) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET bytes = excluded.bytes",
        arguments: [bytes(of: key), data]
      )
    }
  }

  /// Deletes the row of a key.
  public func remove(_ key: String) throws {
    try database.write {
      try $0.execute(sql: "DELETE FROM archive WHERE key = ?", arguments: [bytes(of: key)])
    }
  }

  /// The keys that begin with a prefix, in the order of their bytes.
  public func keys(withPrefix prefix: String) throws -> [String] {
    let prefix = bytes(of: prefix)
    return try database.read {
      // The empty prefix has a word of its own: SQLite takes the first no bytes of an empty key to be nothing at all.
      try Data.fetchAll(
        $0,
        sql: "SELECT key FROM archive WHERE ? = 0 OR substr(key, 1, ?) = ? ORDER BY key",
        arguments: [prefix.count, prefix.count, prefix]
      )
    }
    .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Strings that are equal have the same bytes, however their accents are composed.
  private func bytes(of key: String) -> Data { Data(key.precomposedStringWithCanonicalMapping.utf8) }
}
