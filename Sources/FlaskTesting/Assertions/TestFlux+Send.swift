extension TestFlux {
  // One function for each number: a list of `inout` parameters can't be abstracted over.

  /// Dispatches an action, which changes nothing.
  public func send(
    _ action: any FluxAction,
    with dispatcher: FluxDispatcher? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let step = TestStep(self, fileID, filePath, line, column)
    await step.dispatch(action, with: dispatcher, waiting: isolation)
    step.end()
  }

  /// Dispatches an action, which changes one state as the closure says, and nothing else.
  ///
  /// ```swift
  /// await test.send(Search(text: "a"), changing: results) { $0.isLoading = true }
  /// ```
  /// The effects that it starts do not run yet. Of an action that has to wait for a lock, nothing changes yet.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - dispatcher: carries it; `nil` for the default one of the flux.
  ///   - a: what it changes: a substance or a store.
  ///   - isolation: where the caller is; leave it out.
  ///   - fileID: where an issue is; leave it out.
  ///   - filePath: as `fileID`.
  ///   - line: as `fileID`.
  ///   - column: as `fileID`.
  ///   - expected: makes of the state before the state that is to be. If `exhaustivity` is off, it is lent the
  ///     state as it is, and what it writes has to be there.
  public func send<A: Sendable>(
    _ action: any FluxAction,
    with dispatcher: FluxDispatcher? = nil,
    changing a: TypedSubstance<A>,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A) throws -> Void
  ) async rethrows {
    let step = TestStep(self, fileID, filePath, line, column)
    let a = step.state(a)
    await step.dispatch(action, with: dispatcher, waiting: isolation)
    try step.end(a) { try expected(&a.state) }
  }

  /// Dispatches an action, which changes two substances as the closure says, and nothing else.
  public func send<A: Sendable, B: Sendable>(
    _ action: any FluxAction,
    with dispatcher: FluxDispatcher? = nil,
    changing a: TypedSubstance<A>,
    _ b: TypedSubstance<B>,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A, inout B) throws -> Void
  ) async rethrows {
    let step = TestStep(self, fileID, filePath, line, column)
    let (a, b) = (step.state(a), step.state(b))
    await step.dispatch(action, with: dispatcher, waiting: isolation)
    try step.end(a, b) { try expected(&a.state, &b.state) }
  }

  /// Dispatches an action, which changes three substances as the closure says, and nothing else.
  public func send<A: Sendable, B: Sendable, C: Sendable>(
    _ action: any FluxAction,
    with dispatcher: FluxDispatcher? = nil,
    changing a: TypedSubstance<A>,
    _ b: TypedSubstance<B>,
    _ c: TypedSubstance<C>,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A, inout B, inout C) throws -> Void
  ) async rethrows {
    let step = TestStep(self, fileID, filePath, line, column)
    let (a, b, c) = (step.state(a), step.state(b), step.state(c))
    await step.dispatch(action, with: dispatcher, waiting: isolation)
    try step.end(a, b, c) { try expected(&a.state, &b.state, &c.state) }
  }

  /// Dispatches an action, which changes four substances as the closure says, and nothing else.
  public func send<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
    _ action: any FluxAction,
    with dispatcher: FluxDispatcher? = nil,
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
  ) async rethrows {
    let step = TestStep(self, fileID, filePath, line, column)
    let (a, b, c, d) = (step.state(a), step.state(b), step.state(c), step.state(d))
    await step.dispatch(action, with: dispatcher, waiting: isolation)
    try step.end(a, b, c, d) { try expected(&a.state, &b.state, &c.state, &d.state) }
  }
}
