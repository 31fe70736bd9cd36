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
  /// - Throws: `RecordStoreError`, or what else `body` throws.
  func perform<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
    do {
      let (connection, isNew) = try take()
      do {
        return try perform(body, with: connection)
      } catch let failure as PostgresFailure where failure.isLost && !isNew {
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

  private func take() throws -> (connection: PostgresConnection, isNew: Bool) {
    condition.lock()
    let deadline = Date(timeIntervalSinceNow: Double(PostgresStatements.patience))
    while idle.isEmpty, count >= limit {
      if !condition.wait(until: deadline) {
        condition.unlock()
        throw RecordStoreError.unavailable(
          "all \(limit) connections have been in use for \(PostgresStatements.patience) s"
        )
      }
    }
    if let connection = idle.popLast() {
      condition.unlock()
      return (connection, false)
    }
    if backoff.delay(at: now) > 0 {
      let reason = backoff.reason
      condition.unlock()
      throw RecordStoreError.unavailable(reason)
    }
    count += 1
    condition.unlock()
    do {
      let connection = try PostgresConnection(settings)
      try prepare(connection)
      condition.withLock { backoff.didSucceed() }
      return (connection, true)
    } catch {
      let reason = (error as? PostgresFailure)?.message ?? "\(error)"
      condition.withLock {
        count -= 1
        // What a server is does not change by waiting, and asking is cheap.
        if !(error is RecordStoreError) { backoff.didFail(reason, at: now) }
        condition.signal()
      }
      throw error
    }
  }

  private func giveBack(_ connection: PostgresConnection) {
    condition.withLock {
      if connection.isUsable {
        idle.append(connection)
      } else {
        count -= 1
      }
      condition.signal()
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
  func retry() { condition.withLock { backoff.didSucceed() } }
}
