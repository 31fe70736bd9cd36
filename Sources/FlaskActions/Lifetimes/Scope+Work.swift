public import FlaskScopes

extension Scope {
  /// Runs work as long as the part exists: now if it exists, and again each time that it comes back. If the part is, or
  /// is in, the content of an optional that is `Identifiable`, content with another identity ends the work and begins
  /// it again.
  ///
  /// ```swift
  /// session.scope(\.detail)?.whilePresent { detail in
  ///   for await price in prices(of: detail.id) { detail.mix { $0.price = price } }
  /// }
  /// ```
  /// The end is part of the commit that removes the part: see `FluxWork`. A time travel neither starts nor ends work.
  /// An undo that brings the part back starts it. A hidden property (`_name`) has no work, since its changes are not
  /// reported.
  ///
  /// - Parameters:
  ///   - onError: receives the errors of the work; its own mixes are not the work's. Without it an error is the fault
  ///     `workFailed`. What ended work throws is ignored.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - work: receives this scope, which does not retain its substance. It runs in a task of its own, on the isolation
  ///     of the caller, if it has one.
  /// - Returns: a handle that ends the work early. It need not be kept.
  @discardableResult
  public func whilePresent(
    onError: (@Sendable (any Error) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ work:
      @escaping @isolated(any) @Sendable (_ part: Scope<Part>) async throws -> Void
  ) -> FluxWork {
    let origin = WorkOrigin(in: cell, at: SourcePlace(fileID, line), onError: onError)
    let scope = unretained
    return FluxWork(WorkSeat(watchedPresence, origin) { _ in try await work(scope) })
  }

  /// Runs work as long as a value of the part is `true`, and the part exists. See `whilePresent(onError:_:)`.
  @discardableResult
  public func whileTrue(
    _ keyPath: KeyPath<Part, Bool>,
    onError: (@Sendable (any Error) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ work: @escaping @isolated(any) @Sendable () async throws -> Void
  ) -> FluxWork {
    let origin = WorkOrigin(in: cell, at: SourcePlace(fileID, line), onError: onError)
    let watched = watched(keyPath).map { $0.value ? $0 : nil }
    return FluxWork(WorkSeat(watched, origin) { _ in try await work() })
  }

  /// Runs work for a value of the part, and begins it again for each other value, as long as the part exists.
  ///
  /// ```swift
  /// search.scope(\.form).restarting(on: \.text, pace: .debounce(.milliseconds(300))) { [weak search] text in
  ///   let hits = try await find(text)
  ///   search?.mix { $0.hits = hits }
  /// }
  /// ```
  /// The work for the last value ends in the commit that changes the value, whatever the pace is. The first value waits
  /// for the pace, too: with `.debounce`, the work begins after a pause without another value.
  ///
  /// - Parameters:
  ///   - keyPath: of the value.
  ///   - pace: when the work for another value begins.
  ///   - clock: the clock of the pace; that of the flux by default.
  ///   - onError: receives the errors of the work; see `whilePresent(onError:_:)`.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - work: receives the value. It runs in a task of its own, on the isolation of the caller, if it has one.
  /// - Returns: a handle that ends the work early. It need not be kept.
  @discardableResult
  public func restarting<Value: Equatable & Sendable>(
    on keyPath: KeyPath<Part, Value>,
    pace: FluxEffectPace = .immediate,
    clock: (any Clock<Duration>)? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ work: @escaping @isolated(any) @Sendable (_ value: Value) async throws -> Void
  ) -> FluxWork {
    let origin = WorkOrigin(in: cell, at: SourcePlace(fileID, line), onError: onError)
    return FluxWork(
      WorkSeat(watched(keyPath), pace: pace, clock: clock, origin) { try await work($0.value) }
    )
  }
}
