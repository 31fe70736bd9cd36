public import FlaskScopes

extension Mixable {
  /// Runs work as long as an enum property is of a case: now if it is, and again each time that it becomes one. If the
  /// payload is `Identifiable`, a payload with another identity ends the work and begins it again.
  ///
  /// ```swift
  /// route.whilePresent(\.screen, case: Screen.post) { post in
  ///   for await comment in comments(of: post.id) { post.mix { $0.comments.append(comment) } }
  /// }
  /// ```
  /// For the case see `scope(_:case:)`; for the end, errors and the handle, `Scope.whilePresent(onError:_:)`.
  @discardableResult
  public func whilePresent<Root: Sendable, Payload: Sendable>(
    _ keyPath: WritableKeyPath<Part, Root>,
    case make: @escaping @Sendable (Payload) -> Root,
    onError: (@Sendable (any Error) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ work:
      @escaping @isolated(any) @Sendable (_ payload: Scope<Payload>) async throws -> Void
  ) -> FluxWork {
    let place = SourcePlace(fileID, line)
    let whole = mixableScope
    let property = scope(keyPath).unretained
    let watched = whole.watchedPresence(of: keyPath, case: make, at: place)
    return caseWork(watched, at: place, onError) {
      if let payload = property.content(ofCase: make, at: place) { try await work(payload) }
    }
  }

  /// Runs work as long as an optional enum property has content of a case. See `whilePresent(_:case:_:)`.
  @discardableResult
  public func whilePresent<Root: Sendable, Payload: Sendable>(
    _ keyPath: WritableKeyPath<Part, Root?>,
    case make: @escaping @Sendable (Payload) -> Root,
    onError: (@Sendable (any Error) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ work:
      @escaping @isolated(any) @Sendable (_ payload: Scope<Payload>) async throws -> Void
  ) -> FluxWork {
    let place = SourcePlace(fileID, line)
    let whole = mixableScope
    let property = scope(whole: keyPath).unretained
    let watched = whole.watchedPresence(ofOptional: keyPath, case: make, at: place)
    return caseWork(watched, at: place, onError) {
      if let payload = property.content(ofOptionalCase: make, at: place) { try await work(payload) }
    }
  }

  /// Runs work as long as an enum property equals a case without a payload.
  ///
  /// ```swift
  /// session.whilePresent(\.phase, case: .loading) { print("loading") }
  /// ```
  /// The values are compared as for changes: by `==`, or, of an enum that is not `Equatable`, by the case and the
  /// payload. For any payload of a case pass its constructor: `case: Screen.post`.
  @discardableResult
  public func whilePresent<Root: Sendable>(
    _ keyPath: WritableKeyPath<Part, Root>,
    case value: Root,
    onError: (@Sendable (any Error) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ work: @escaping @isolated(any) @Sendable () async throws -> Void
  ) -> FluxWork {
    let watched = mixableScope.watchedPresence(of: keyPath, case: value)
    return caseWork(watched, at: SourcePlace(fileID, line), onError) { try await work() }
  }

  /// - Parameter watched: `nil` if the case cannot be read: then the work never runs.
  private func caseWork(
    _ watched: WatchedValue<PartPresence>?,
    at place: SourcePlace,
    _ onError: (@Sendable (any Error) -> Void)?,
    _ body: @escaping @Sendable () async throws -> Void
  ) -> FluxWork {
    let origin = WorkOrigin(in: mixableScope.cell, at: place, onError: onError)
    guard let watched else { return FluxWork(NoWork()) }
    return FluxWork(WorkSeat(watched, origin) { _ in try await body() })
  }
}

/// Work that never runs.
private final class NoWork: LastingWork {
  var isRunning: Bool { false }
  func end() {}
}
