extension FluxStore {
  /// Registers how actions of a type change the state. The changed keys are found by comparing the states.
  ///
  /// A store has one reducer for each type of actions. A second registration is a fault, and is ignored. In clients
  /// that are built in Swift 5 mode the closure need not be `Sendable`.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - reducer: changes the state, on the thread that performs the action. An error that it throws discards the whole
  ///     action, the changes of other stores included.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  @available(swift, introduced: 6)
  public final func registerReducer<A: FluxAction>(
    for type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping @Sendable (_ state: inout S, _ action: A) throws -> Void
  ) {
    addReducer(type, at: SourcePlace(fileID, line), reducer)
  }

  /// Registers how actions of a type change the state. The reducer returns the key paths of its changes.
  ///
  /// The returned key paths are an assertion. They have no effect on notifications: the changed keys are found by
  /// comparing the states. Debug builds check the assertion. A fault reports a returned key path whose value did not
  /// change, and a changed key that no returned key path covers. A key path without a key, such as that of a computed
  /// property, is not checked. If the reducer returns one, uncovered keys are not reported.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - reducer: changes the state, and returns the key paths of its changes; a parent covers the keys inside it.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  @_disfavoredOverload
  @available(swift, introduced: 6)
  public final func registerReducer<A: FluxAction>(
    for type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping @Sendable (_ state: inout S, _ action: A) throws -> [PartialKeyPath<S>]
  ) {
    addClaimingReducer(type, at: SourcePlace(fileID, line), reducer)
  }

  /// Removes the reducer for a type of actions, so that another one can be registered. A type without a reducer is
  /// skipped. An action that is being performed may still reach the removed reducer.
  ///
  /// The closure is released with the store.
  public final func unregisterReducer<A: FluxAction>(for type: A.Type) {
    reducers.remove(for: ObjectIdentifier(type))
  }

  package final func addReducer<A: FluxAction>(
    _ type: A.Type,
    at location: SourcePlace,
    _ reducer: @escaping @Sendable (inout S, A) throws -> Void
  ) {
    add(type, at: location) { _, action, draft, _ in
      try withAction(action, as: A.self) { action in
        try reducer(&draft.assumingMemoryBound(to: S.self).pointee, action)
      }
    }
  }

  package final func addClaimingReducer<A: FluxAction>(
    _ type: A.Type,
    at location: SourcePlace,
    _ reducer: @escaping @Sendable (inout S, A) throws -> [PartialKeyPath<S>]
  ) {
    add(type, at: location) { store, action, draft, isFirst in
      guard let typed = action as? A else { return }
      let claim = try reducer(&draft.assumingMemoryBound(to: S.self).pointee, typed)
      #if DEBUG
        // The returned key paths of only the first reducer of an operation are checked. For a second reducer, the draft
        // would also contain the changes of the first.
        if isFirst { (store as? FluxStore<S>)?.check(claim, of: action, at: location) }
      #else
        _ = claim
      #endif
    }
  }

  private func add<A: FluxAction>(
    _ type: A.Type,
    at location: SourcePlace,
    _ reducer: @escaping ReducerTable.Reducer
  ) {
    guard let first = reducers.add(reducer, for: ObjectIdentifier(type), at: location) else { return }
    report(
      .answerRegisteredTwice,
      "\(name()) registers a reducer for \(type) twice, and the first, at \(first), counts; remove one, or do both in one",
      at: location
    )
  }
}
