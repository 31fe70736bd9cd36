extension RecordStore {
  /// Performs work that one process of many does at a time, such as sending mails.
  ///
  /// ```swift
  /// try await store.lease("mailer") { fence in
  ///   var next = try await group.transact(outbox, under: fence) { $0.next } ?? nil
  ///   while let mail = next {
  ///     try await send(mail)
  ///     next = try await group.transact(outbox, under: fence) { outbox in
  ///       outbox.isSent.insert(mail.id)
  ///       return outbox.next
  ///     } ?? nil
  ///   }
  /// }
  /// ```
  /// Changes of a former holder may not have arrived in the states here. So read what is to be done in a `transact`;
  /// one that changes nothing writes nothing.
  ///
  /// It waits until no other process has the lease, and renews it until `body` ends, outside of any transaction. If the
  /// process dies, another one gets the lease after `length`; if `body` ends, within a second.
  ///
  /// If the lease can't be renewed, `body` is cancelled before another process can begin. A process that was stopped
  /// meanwhile does not notice that; what it then writes with its fence is refused.
  ///
  /// Times are those of the database, so the clocks of the processes do not matter. If that of the database is set
  /// forward, a lease may be over early; if it is set back, that of a process that died lasts for as much longer.
  ///
  /// A body that asks for the lease it has waits for ever. Leases are for some tens of kinds of work, and not for each
  /// order: the database keeps their names.
  ///
  /// - Parameters:
  ///   - name: the name of the lease, the same in each process; at most 512 bytes, without U+0000.
  ///   - length: how long it is held without being renewed: at least a second. It is renewed after a third of it.
  ///   - timeout: how long the lease is waited for; `nil` without a limit, also while the database can't be reached.
  ///   - body: the work. It runs in a child task.
  /// - Returns: the result of `body`, also if the task was cancelled meanwhile.
  /// - Throws: what `body` throws; `SharingError.leaseLost`; `.timedOut`; `.refused`; `CancellationError` if the task
  ///   is cancelled before it has the lease.
  public func lease<Result: Sendable>(
    _ name: String,
    for length: Duration = .seconds(30),
    timeout: Duration? = nil,
    _ body: @escaping @Sendable (_ fence: Fence) async throws -> Result
  ) async throws -> Result {
    precondition(length >= .seconds(1), "a lease is held for at least a second")
    guard SharedPart.isName(name) else {
      throw SharingError.invalidKey(reason: "the name of a lease has at most 512 bytes, and no U+0000")
    }
    let keeper = LeaseKeeper(self, name, for: length, atMost: timeout)
    keeper.begin()
    do {
      let fence = try await keeper.taken.value()
      let result = try await Self.perform(body, under: fence, keeper)
      await keeper.end()
      return result
    } catch {
      await keeper.end()
      throw error
    }
  }

  private static func perform<Result: Sendable>(
    _ body: @escaping @Sendable (Fence) async throws -> Result,
    under fence: Fence,
    _ keeper: LeaseKeeper
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { tasks in
      tasks.addTask { try await body(fence) }
      tasks.addTask {
        // A task that is cancelled cancels its work, and has the result of that.
        do { try await keeper.lost.value() } catch is CancellationError {}
        return nil
      }
      defer { tasks.cancelAll() }
      while let result = try await tasks.next() {
        if let result { return result }
      }
      throw CancellationError()
    }
  }
}
