internal import FlaskSharing
internal import Foundation

/// The connections that read and write. Each is used by one thread at a time.
final class PostgresPool: @unchecked Sendable {
  // `@unchecked Sendable`:
  // - Isolation: all variables are guarded by `condition`.
  // - Invariant: a connection is either in `idle`, or used by one thread.
  // - If violated: a data race in libpq.

  private let settings: PostgresSettings
  private let limit: Int
  private let prepare: @Sendable (PostgresConnection) throws -> Void
  private let condition = NSCondition()
  private var idle: [PostgresConnection] = []
  private var count = 0
  /// How many may wait for a turn now.
  private var waiting = 0
  private var backoff = PostgresBackoff()

  /// - Parameter prepare: is called with each new connection.
  init(
    _ settings: PostgresSettings,
    limit: Int,
    prepare: @escaping @Sendable (PostgresConnection) throws -> Void
  ) {
    self.settings = settings
    self.limit = limit
    self.prepare = prepare
  }

  /// Performs `body` with a connection. A connection that had been idle may be dead: then `body` is performed again
  /// with a new one, if it throws a `PostgresFailure`.
  ///
  /// - Parameter mayWait: whether `body` may wait for a turn. One connection is kept for others.
  /// - Throws: `RecordStoreError`, or what else `body` throws.
  func perform<Result>(mayWait: Bool = false, _ body: (PostgresConnection) throws -> Result) throws -> Result
  {
    if mayWait { try enter() }
    defer { if mayWait { leave() } }
    do {
      let (connection, isNew) = try take()
      do {
        return try perform(body, with: connection)
      } catch let failure as PostgresFailure where failure.isConnectionSpoilt && !isNew {
        dropIdle()
        return try perform(body, with: take().connection)
      }
    } catch let failure as PostgresFailure {
      throw failure.error
    }
  }

  private func perform<Result>(
    _ body: (PostgresConnection) throws -> Result,
    with connection: PostgresConnection
  ) throws -> Result {
    do {
      let result = try body(connection)
      giveBack(connection)
      return result
    } catch {
      giveBack(connection)
      throw error
    }
  }

  private var now: Double { ProcessInfo.processInfo.systemUptime }

  private var deadline: Date { Date(timeIntervalSinceNow: Double(PostgresStatements.patience)) }

  private var busy: RecordStoreError {
    .unavailable("all \(limit) connections have been in use for \(PostgresStatements.patience) s")
  }

  /// Waits until one more may wait for a turn.
  private func enter() throws {
    let deadline = deadline
    try condition.withLock {
      while waiting >= max(1, limit - 1) {
        if !condition.wait(until: deadline) { throw busy }
      }
      waiting += 1
    }
  }

  private func leave() {
    condition.withLock {
      waiting -= 1
      condition.broadcast()
    }
  }

  private func take() throws -> (connection: PostgresConnection, isNew: Bool) {
    let deadline = deadline
    while true {
      if let connection = try idleConnection(until: deadline) { return (connection, false) }
      do {
        let connection = try PostgresConnection(settings)
        try prepare(connection)
        retry()
        return (connection, true)
      } catch {
        let error = RecordStoreError(connecting: error)
        let isAlone = condition.withLock {
          count -= 1
          backoff.didFail(error, at: now)
          condition.broadcast()
          return count == 0
        }
        if isAlone { throw error }
      }
    }
  }

  /// - Returns: `nil` if the caller is to make a connection.
  private func idleConnection(until deadline: Date) throws -> PostgresConnection? {
    try condition.withLock {
      while true {
        if let connection = idle.popLast() { return connection }
        let error = backoff.error(at: now)
        if count < limit, error == nil {
          count += 1
          return nil
        }
        // Another one is about to be free, unless there is none.
        if let error, count == 0 { throw error }
        let due = error == nil ? deadline : min(deadline, Date(timeIntervalSinceNow: backoff.rest(at: now)))
        if !condition.wait(until: due), Date() >= deadline { throw error ?? busy }
      }
    }
  }

  private func giveBack(_ connection: PostgresConnection) {
    condition.withLock {
      if connection.isUsable {
        idle.append(connection)
      } else {
        count -= 1
      }
      condition.broadcast()
    }
  }

  private func dropIdle() {
    let dropped = condition.withLock {
      defer { idle = [] }
      count -= idle.count
      return idle
    }
    withExtendedLifetime(dropped) {}
  }

  /// The server can be reached again.
  func retry() {
    condition.withLock {
      backoff.didSucceed()
      condition.broadcast()
    }
  }
}
