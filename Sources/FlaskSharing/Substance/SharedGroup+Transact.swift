internal import FlaskPrimitives

extension SharedGroup {
  /// Changes a state on top of all that others have written, while no other process writes the group.
  ///
  /// ```swift
  /// try await books.transact(hall) { hall in
  ///   guard hall.free > 0 else { throw Booking.soldOut }
  ///   hall.free -= 1
  /// }
  /// ```
  /// - Parameters:
  ///   - a: a substance of the group.
  ///   - key: a key of a transaction that must be performed once, such as the identity of a request. It is kept for 24
  ///     hours, across all processes. At most 512 bytes, without U+0000.
  ///   - fence: a lease under which it is performed. If another process has taken the lease, nothing is written.
  ///   - timeout: how long it is tried again if the database can't be reached; `nil` to throw at the first failure.
  ///   - body: gets a draft of the merged state, which has all that is pending here. It is called on the thread of the
  ///     group, and may be called again; so it must do nothing but change the draft. If it throws, nothing of it is
  ///     written.
  ///     When `transact` returns, the change is durable, and in the states here unless a lock keeps it out. It may be
  ///     called while the flux is locked.
  /// - Returns: the result of `body`; `nil` if an earlier transaction with this key was performed.
  /// - Throws: what `body` throws, or `SharingError`.
  @discardableResult
  public func transact<A: Sendable, Result: Sendable>(
    _ a: TypedSubstance<A>,
    once key: String? = nil,
    under fence: Fence? = nil,
    timeout: Duration? = nil,
    _ body: @escaping @Sendable (inout A) throws -> Result
  ) async throws -> Result? {
    try await transact([a], once: key, under: fence, timeout) { states in
      try body(&states[0].assumingMemoryBound(to: A.self).pointee)
    }
  }

  /// Changes two states on top of all that others have written. See `transact(_:once:under:timeout:_:)`.
  @discardableResult
  public func transact<A: Sendable, B: Sendable, Result: Sendable>(
    _ a: TypedSubstance<A>,
    _ b: TypedSubstance<B>,
    once key: String? = nil,
    under fence: Fence? = nil,
    timeout: Duration? = nil,
    _ body: @escaping @Sendable (inout A, inout B) throws -> Result
  ) async throws -> Result? {
    try await transact([a, b], once: key, under: fence, timeout) { states in
      try body(
        &states[0].assumingMemoryBound(to: A.self).pointee,
        &states[1].assumingMemoryBound(to: B.self).pointee
      )
    }
  }

  private func transact<Result: Sendable>(
    _ substances: [AnySubstance],
    once key: String?,
    under fence: Fence?,
    _ limit: Duration?,
    _ body: @escaping @Sendable ([UnsafeMutableRawPointer]) throws -> Result
  ) async throws -> Result? {
    for name in [key, fence?.name, fence?.holder].compactMap({ $0 }) where !SharedPart.isName(name) {
      throw SharingError.invalidKey(
        reason: "the key of a transaction, or the name of a lease, has at most 512 bytes, and no U+0000"
      )
    }
    var parts: [SharedPart] = []
    for substance in substances {
      guard let part = session.part(of: substance.cell), !parts.contains(where: { $0 === part }) else {
        throw SharingError.notAMember(name: substance.name())
      }
      parts.append(part)
    }
    for flux in session.fluxes { await flux.passed() }
    // Work that has ended changes nothing, also in a task that is not cancelled.
    let run = WorkRun.here
    let transaction = ClosureTransaction(parts, once: key, under: fence, atMost: limit) { states in
      if run?.isEnded ?? false { throw CancellationError() }
      return try body(states)
    }
    worker.perform(transaction)
    let (result, place) = try await transaction.waiter.value()
    // The states have it when this returns, unless a lock keeps it out.
    if parts.allSatisfy({ $0.cell.flux.locks.isEmpty }) { try? await reached(place, timeout: .seconds(1)) }
    return result
  }
}
