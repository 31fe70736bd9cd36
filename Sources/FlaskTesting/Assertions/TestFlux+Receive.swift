extension TestFlux {
  // Closures get one or two states as parameters, and more states as one tuple, since a parameter pack cannot be
  // `inout`.

  /// Performs an action that an effect has dispatched. The action must change nothing. Effects run until all of them
  /// wait.
  @discardableResult
  public func receive<Action: FluxAction>(
    _ type: Action.Type,
    where isMeant: (Action) -> Bool = { _ in true },
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async -> Action? {
    let step = TestStep(self, fileID, filePath, line, column)
    let action = await step.receive(type, isolation: isolation, where: isMeant)
    if action == nil { return nil }
    step.end()
    return action
  }

  /// Performs an action that an effect has dispatched, which changes one state as the closure says, and nothing else.
  ///
  /// ```swift
  /// await test.receive(Found.self, changing: results) { $0.items = ["a"] }
  /// ```
  /// Effects run until all of them wait. If several actions of the type are held then, the order of the test decides
  /// which one is taken. If no such action comes, this is an issue, which lists what the effects wait for.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - isMeant: which actions of the type count; all, unless given.
  ///   - a: the substance or store that it changes.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - filePath: as `fileID`.
  ///   - line: as `fileID`.
  ///   - column: as `fileID`.
  ///   - expected: changes the state before into the expected state; see `send`.
  /// - Returns: the action.
  @discardableResult
  public func receive<Action: FluxAction, A: Sendable>(
    _ type: Action.Type,
    where isMeant: (Action) -> Bool = { _ in true },
    changing a: TypedSubstance<A>,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A) throws -> Void
  ) async rethrows -> Action? {
    let step = TestStep(self, fileID, filePath, line, column)
    let states = ExpectedStates(step, a)
    let action = await step.receive(type, isolation: isolation, where: isMeant)
    if action == nil { return nil }
    try states.end(expected)
    return action
  }

  /// Performs an action that an effect has dispatched. The action must change two states as `expected` does, and change
  /// nothing else. `expected` gets both states as parameters.
  @discardableResult
  public func receive<Action: FluxAction, A: Sendable, B: Sendable>(
    _ type: Action.Type,
    where isMeant: (Action) -> Bool = { _ in true },
    changing a: TypedSubstance<A>,
    _ b: TypedSubstance<B>,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A, inout B) throws -> Void
  ) async rethrows -> Action? {
    let step = TestStep(self, fileID, filePath, line, column)
    let states = ExpectedStates(step, a, b)
    let action = await step.receive(type, isolation: isolation, where: isMeant)
    if action == nil { return nil }
    try states.end { try expected(&$0.0, &$0.1) }
    return action
  }

  /// Performs an action that an effect has dispatched. The action must change any number of states as `expected` does,
  /// and change nothing else. `expected` gets all of the states as one tuple.
  @discardableResult
  public func receive<Action: FluxAction, each S: Sendable>(
    _ type: Action.Type,
    where isMeant: (Action) -> Bool = { _ in true },
    changing substances: repeat TypedSubstance<each S>,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout (repeat each S)) throws -> Void
  ) async rethrows -> Action? {
    let step = TestStep(self, fileID, filePath, line, column)
    let states = ExpectedStates(step, repeat each substances)
    let action = await step.receive(type, isolation: isolation, where: isMeant)
    if action == nil { return nil }
    try states.end(expected)
    return action
  }
}
