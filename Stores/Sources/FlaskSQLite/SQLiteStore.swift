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
/// To restore a backup, also while programs run, use ``replace(_:by:)``, or `.restore` of `sqlite3`. All processes
/// notice, and count it in their status. A file that is moved away is not made again by a program that runs.
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
    // No checkpoint may overlap a commit of another process. If the turn can't be had, SQLite's own lock must do.
    let isTaken = turn.take(within: 0.1)
    connection = nil
    if isTaken { turn.giveUp() }
  }

  /// The path of the file.
  public var location: String { path }

  private func open() throws -> SQLiteConnection {
    if getpid() != process {
      throw RecordStoreError.refused(
        "a SQLite database must not be used in a child process after fork: open it there"
      )
    }
    return try turn.performing { try SQLiteConnection(path, isReadOnly: isReadOnly, makesTables: true) }
  }

  /// The connection to the file that is at the path now. It is opened in the turn, so that no backup is put in place
  /// meanwhile.
  ///
  /// - Parameter isInTurn: whether the caller has the turn.
  private func present(isInTurn: Bool) throws -> SQLiteConnection {
    if getpid() != process {
      throw RecordStoreError.refused(
        "a SQLite database must not be used in a child process after fork: open it there"
      )
    }
    if let connection = current.withLock({ connection }), connection.isAtPath { return connection }
    return isInTurn ? try reopen() : try turn.performing { try reopen() }
  }

  private func reopen() throws -> SQLiteConnection {
    if let connection = current.withLock({ connection }), connection.isAtPath { return connection }
    guard FileSystem.identity(of: path) != nil else {
      throw RecordStoreError.unavailable("the file \(path) was removed")
    }
    let new = try SQLiteConnection(path, isReadOnly: isReadOnly, makesTables: false)
    let old = current.withLock {
      defer { connection = new }
      return connection
    }
    withExtendedLifetime(old) {}
    return new
  }

  private func drop() {
    let old = current.withLock {
      defer { connection = nil }
      return connection
    }
    withExtendedLifetime(old) {}
  }

  /// Puts a backup, such as `VACUUM INTO` makes, in the place of a database that programs may have open. Their
  /// processes notice, and have its states, with what they had not yet saved.
  ///
  /// - Parameters:
  ///   - url: the database. What it had is kept in a file with `-replaced` behind its name.
  ///   - backup: the backup, which stays.
  /// - Throws: `RecordStoreError`, or the error of the file system.
  public static func replace(_ url: URL, by backup: URL) throws {
    let path = url.path
    let turn = try TurnFile(path + "-turn", isReadOnly: false)
    let copy = path + "-restored"
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: backup.path, toPath: copy)
    guard chmod(copy, 0o600) == 0 else { throw FileSystem.failure("the mode of \(copy) can't be set") }
    try FileSystem.synchronize(copy)
    try turn.performing {
      // No program can open the database from here on, and make a log of it.
      for end in ["-wal", "-shm"] { unlink(path + "-replaced" + end) }
      _ = rename(path, path + "-replaced")
      // The log has what was not yet written back. SQLite finds it by this name.
      _ = rename(path + "-wal", path + "-replaced-wal")
      unlink(path + "-shm")
      guard rename(copy, path) == 0 else { throw FileSystem.failure("\(copy) can't be renamed to \(path)") }
      try FileSystem.synchronize(url.deletingLastPathComponent().path)
    }
    let hint = HintFile(path + "-hint", isReadOnly: false)
    hint.send("")
  }

  /// See `RecordStore`.
  public func read(_ query: RecordQuery) throws -> RecordTail {
    do {
      if let tail = try present(isInTurn: false).read({ db in try db.tail(query) }) { return tail }
      if isReadOnly {
        throw RecordStoreError.unavailable("no program has written the group \(query.group) yet")
      }
      return try turn.performing {
        try present(isInTurn: true).write { db in
          try db.beginTransaction(.immediate)
          try db.makeGroup(query.group)
          guard let tail = try db.tail(query) else {
            throw RecordStoreError.unavailable("the group can't be made")
          }
          return tail
        }
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
    return try BackgroundTime.extended { isExpired in
      try turn.performing {
        let (position, connection) = try transactInTurn(query, isExpired, decide)
        guard let position else { return nil }
        hint.send(position.token)
        connection.checkpointIfDue()
        return position
      }
    }
  }

  private func transactInTurn(
    _ query: RecordQuery,
    _ isExpired: () -> Bool,
    _ decide: (RecordTail, _ fetch: @escaping ([RecordKey]) throws -> [SharedRecord]) throws -> RecordWrites?
  ) throws -> (RecordPosition?, SQLiteConnection) {
    do {
      let connection = try present(isInTurn: true)
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
        if isExpired() { throw RecordStoreError.unavailable("the app is about to be suspended") }
        do {
          try db.commit()
        } catch let error as DatabaseError where error.isOutcomeUnknown {
          throw RecordStoreError.unknownOutcome("\(error)")
        }
        return position
      }
      return (position, connection)
    } catch let error as DatabaseError {
      throw RecordStoreError(error)
    } catch RecordStoreError.unknownOutcome(let reason) {
      // The pages in memory may not be on the disk.
      drop()
      throw RecordStoreError.unknownOutcome(reason)
    }
  }

  /// See `RecordStore`.
  public func lease(_ name: String, holder: String, for duration: Duration) throws -> Fence? {
    if isReadOnly { throw RecordStoreError.refused("the database was opened to read only") }
    do {
      return try BackgroundTime.extended { isExpired in
        try turn.performing {
          try present(isInTurn: true).write { db in
            try db.beginTransaction(.immediate)
            var fence: Fence?
            if duration > .zero {
              fence = try db.lease(name, holder: holder, for: duration / .seconds(1))
            } else {
              try db.endLease(name, holder: holder)
            }
            if isExpired() { throw RecordStoreError.unavailable("the app is about to be suspended") }
            do {
              try db.commit()
            } catch let error as DatabaseError where error.isOutcomeUnknown {
              throw RecordStoreError.unknownOutcome("\(error)")
            }
            return fence
          }
        }
      }
    } catch let error as DatabaseError {
      throw RecordStoreError(error)
    } catch RecordStoreError.unknownOutcome(let reason) {
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
