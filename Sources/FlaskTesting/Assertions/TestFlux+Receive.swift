extension TestFlux {
  // One function for each number: a list of `inout` parameters can't be abstracted over.

  /// Performs an action that an effect has dispatched, which changes nothing. Effects run until there is one.
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
  /// Effects run until all of them wait. If several actions of the type are there then, one is taken by the order of
  /// the test; if there is none, that is an issue, which says what the effects wait for.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - isMeant: which actions of the type count; all, unless given.
  ///   - a: what it changes: a substance or a store.
  ///   - isolation: where the caller is; leave it out.
  ///   - fileID: where an issue is; leave it out.
  ///   - filePath: as `fileID`.
  ///   - line: as `fileID`.
  ///   - column: as `fileID`.
  ///   - expected: makes of the state before the state that is to be; see `send`.
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
    let a = step.state(a)
    let action = await step.receive(type, isolation: isolation, where: isMeant)
    if action == nil { return nil }
    try step.end(a) { try expected(&a.state) }
    return action
  }

  /// Performs an action that an effect has dispatched, which changes two substances as the closure says, and nothing
  /// else.
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
    let (a, b) = (step.state(a), step.state(b))
    let action = await step.receive(type, isolation: isolation, where: isMeant)
    if action == nil { return nil }
    try step.end(a, b) { try expected(&a.state, &b.state) }
    return action
  }

  /// Performs an action that an effect has dispatched, which changes three substances as the closure says, and nothing
  /// else.
  @discardableResult
  public func receive<Action: FluxAction, A: Sendable, B: Sendable, C: Sendable>(
    _ type: Action.Type,
    where isMeant: (Action) -> Bool = { _ in true },
    changing a: TypedSubstance<A>,
    _ b: TypedSubstance<B>,
    _ c: TypedSubstance<C>,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A, inout B, inout C) throws -> Void
  ) async rethrows -> Action? {
    let step = TestStep(self, fileID, filePath, line, column)
    let (a, b, c) = (step.state(a), step.state(b), step.state(c))
    let action = await step.receive(type, isolation: isolation, where: isMeant)
    if action == nil { return nil }
    try step.end(a, b, c) { try expected(&a.state, &b.state, &c.state) }
    return action
  }

  /// Performs an action that an effect has dispatched, which changes four substances as the closure says, and nothing
  /// else.
  @discardableResult
  public func receive<Action: FluxAction, A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
    _ type: Action.Type,
    where isMeant: (Action) -> Bool = { _ in true },
    changing a: TypedSubstance<A>,
    _ b: TypedSubstance<B>,
    _ c: TypedSubstance<C>,
    _ d: TypedSubstance<D>,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A, inout B, inout C, inout D) throws -> Void
  ) async rethrows -> Action? {
    let step = TestStep(self, fileID, filePath, line, column)
    let (a, b, c, d) = (step.state(a), step.state(b), step.state(c), step.state(d))
    let action = await step.receive(type, isolation: isolation, where: isMeant)
    if action == nil { return nil }
    try step.end(a, b, c, d) { try expected(&a.state, &b.state, &c.state, &d.state) }
    return action
  }
}
