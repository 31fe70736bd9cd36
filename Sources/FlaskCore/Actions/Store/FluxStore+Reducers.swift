@_spi(FlaskInternals) internal import FlaskArchive

extension FluxStore {
  /// Says how actions of a type change the state. What changed is found by comparing.
  ///
  /// One reducer for each type; a second is a fault, and left out. In clients that are built in Swift 5 mode the closure need not
  /// be `Sendable`.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - reducer: changes the state, on the thread that performs the action. What it throws discards the whole action, the changes of
  ///     other stores included.
  @available(swift, introduced: 6)
  public final func registerReducer<A: FluxAction>(
    for type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping @Sendable (_ state: inout S, _ action: A) throws -> Void
  ) {
    add(type, at: SourcePlace(fileID, line)) { action, draft in
      if let action = action as? A { try reducer(&draft.assumingMemoryBound(to: S.self).pointee, action) }
      return nil
    }
  }

  /// Says how actions of a type change the state; the reducer says which part did change.
  ///
  /// What changed is found by comparing all the same. In debug builds the claim is checked: a key path that is claimed and did not
  /// change, and a key that changed and is claimed by none, are a fault. Key paths that are no key (computed properties, for
  /// one) are taken on trust.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - reducer: changes the state, and returns the key paths of what it changed; a parent covers what is inside it.
  @available(swift, introduced: 6)
  public final func registerReducer<A: FluxAction>(
    for type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping @Sendable (_ state: inout S, _ action: A) throws -> [PartialKeyPath<S>]
  ) {
    add(type, at: SourcePlace(fileID, line)) { action, draft in
      guard let action = action as? A else { return nil }
      return try reducer(&draft.assumingMemoryBound(to: S.self).pointee, action)
    }
  }

  private func add<A: FluxAction>(_ type: A.Type, at place: SourcePlace, _ reducer: @escaping Reducer) {
    let isFirst = reducers.withLock { reducers in
      if reducers[ObjectIdentifier(type)] != nil { return false }
      reducers[ObjectIdentifier(type)] = reducer
      return true
    }
    if isFirst { return }
    report(
      .answerRegisteredTwice,
      "\(name()) registers a reducer for \(type) twice; the first counts",
      at: place
    )
  }
}
