public import FlaskSharing
public import Foundation
internal import GRDB

/// Shared groups in a SQLite database: the processes of one machine share them.
///
/// ```swift
/// let store = try SQLiteStore(at: folder.appending(path: "books.sqlite"))
/// let books = SharedGroup("books", in: store)
/// ```
/// Every process of the machine may open the file. It is made if it does not exist, readable by its user alone. Beside
/// it lie the files of SQLite (`-wal`, `-shm`), one by which the processes take turns (`-turn`), and one by which they
/// hear of each other's commits (`-hint`).
///
/// A commit is durable when it returns: `synchronous` is `FULL`. The tables may be read by any program:
/// `sqlite3 books.sqlite "SELECT body ->> 'title' FROM flask_row"`. Only Flask writes them.
///
/// To restore a backup while programs run, use SQLite's own `.restore`; a file that is put in its place by `mv` needs
/// its `-wal` and `-shm` removed first. All processes notice, and say so in their status.
///
/// The file must lie on a disk of this machine: network file systems are refused. Any thread may use a store. It must
/// not be used in a child process after `fork`.
public final class SQLiteStore: RecordStore {
  private let path: String
  private let isReadOnly: Bool
  private let turn: TurnFile
  private let hint: HintFile
  private let process = getpid()
  private let current = NSLock()
  // `nonisolated(unsafe)`: guarded by `current`.
  nonisolated(unsafe) private var connection: SQLiteConnection?

  /// Opens a database, and makes it and its tables if they do not exist.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - isReadOnly: whether nothing is written, and nothing is made. The file must exist then.
  /// - Throws: `RecordStoreError`.
  public init(at url: URL, isReadOnly: Bool = false) throws {
    path = url.path
    self.isReadOnly = isReadOnly
    try FileSystem.requireLocal(url.deletingLastPathComponent().path)
    if !isReadOnly { try FileSystem.make(path) }
    turn = try TurnFile(path + "-turn", isReadOnly: isReadOnly)
    hint = HintFile(path + "-hint", isReadOnly: isReadOnly)
    connection = try open()
  }

  deinit {
    // No checkpoint may overlap a commit of another process.
    turn.take()
    connection = nil
    turn.giveUp()
  }

  /// The path of the file.
  public var location: String { path }

  private func open() throws -> SQLiteConnection {
    turn.take()
    defer { turn.giveUp() }
    return try SQLiteConnection(path, isReadOnly: isReadOnly)
  }

  /// The connection to the file that is at the path now.
  private func present() throws -> SQLiteConnection {
    if getpid() != process {
      throw RecordStoreError.refused(
        "a SQLite database must not be used in a child process after fork: open it there"
      )
    }
    return try current.withLock {
      if let connection, connection.isAtPath { return connection }
      connection = nil
      if !isReadOnly { try FileSystem.make(path) }
      let new = try SQLiteConnection(path, isReadOnly: isReadOnly)
      connection = new
      return new
    }
  }

  private func drop() { current.withLock { connection = nil } }

  /// See `RecordStore`.
  public func read(_ query: RecordQuery) throws -> RecordTail {
    do {
      if let tail = try present().read({ db in try db.tail(query) }) { return tail }
      if isReadOnly { throw RecordStoreError.unavailable("nothing has written the group \(query.group) yet") }
      turn.take()
      defer { turn.giveUp() }
      return try present().write { db in
        try db.beginTransaction(.immediate)
        try db.makeGroup(query.group)
        guard let tail = try db.tail(query) else {
          throw RecordStoreError.unavailable("the group can't be made")
        }
        try db.commit()
        return tail
      }
    } catch let error as DatabaseError {
      throw RecordStoreError(error)
    }
  }

  /// See `RecordStore`.
  public func transact(
    _ query: RecordQuery,
    _ decide: (RecordTail, _ fetch: @escaping ([RecordKey]) throws -> [SharedRecord]) throws -> RecordWrites?
  ) throws -> RecordPosition? {
    if isReadOnly { throw RecordStoreError.refused("the database was opened to read only") }
    return try BackgroundTime.extended {
      turn.take()
      defer { turn.giveUp() }
      let position = try transactInTurn(query, decide)
      if position != nil { hint.send() }
      return position
    }
  }

  private func transactInTurn(
    _ query: RecordQuery,
    _ decide: (RecordTail, _ fetch: @escaping ([RecordKey]) throws -> [SharedRecord]) throws -> RecordWrites?
  ) throws -> RecordPosition? {
    do {
      let connection = try present()
      let position = try connection.write { db -> RecordPosition? in
        try db.beginTransaction(.immediate)
        try db.makeGroup(query.group)
        guard let tail = try db.tail(query) else {
          throw RecordStoreError.unavailable("the group can't be made")
        }
        let writes = try decide(tail) { keys in try db.records(keys, of: query.group) }
        guard let writes else { return nil }
        let position = try db.write(writes, to: query.group, after: tail.head)
        if !connection.isAtPath {
          throw RecordStoreError.unavailable("the file \(path) was replaced while it was written")
        }
        do {
          try db.commit()
        } catch let error as DatabaseError where error.isOutcomeUnknown {
          throw RecordStoreError.unknownOutcome("\(error)")
        }
        return position
      }
      if position != nil { connection.checkpointIfDue() }
      return position
    } catch let error as DatabaseError {
      throw RecordStoreError(error)
    } catch RecordStoreError.unknownOutcome(let reason) {
      // What the pages in memory have may not be on the disk.
      drop()
      throw RecordStoreError.unknownOutcome(reason)
    }
  }

  /// See `RecordStore`.
  public func observe(_ group: String, _ hint: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
    self.hint.observe(hint)
  }
}

extension RecordStoreError {
  init(_ error: DatabaseError) {
    switch error.resultCode.primaryResultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .refused("the database is damaged: \(error)")
    default: self = .unavailable("\(error)")
    }
  }
}

extension DatabaseError {
  /// Whether a commit that failed with this error may have been done.
  fileprivate var isOutcomeUnknown: Bool {
    switch resultCode.primaryResultCode {
    case .SQLITE_BUSY, .SQLITE_FULL, .SQLITE_LOCKED, .SQLITE_CONSTRAINT: false
    default: true
    }
  }
}
