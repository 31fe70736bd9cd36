extension TestFlux {
  // Closures get one or two states as parameters, and more states as one tuple, since a parameter pack cannot be
  // `inout`.

  /// Dispatches an action, which changes nothing.
  public func send(
    _ action: any FluxAction,
    with dispatcher: FluxDispatcher? = nil,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let step = TestStep(self, fileID, filePath, line, column)
    step.complain(about: step.dispatch(action, with: dispatcher, isolation: isolation), of: action)
    step.end()
  }

  /// Dispatches an action, which must change one state as the closure says, and change nothing else.
  ///
  /// ```swift
  /// await test.send(Search(text: "a"), changing: results) { $0.isLoading = true }
  /// ```
  /// The effects that it starts do not run yet. Of an action that has to wait for a lock, nothing changes yet.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - dispatcher: dispatches the action; `nil` for the default dispatcher of the flux.
  ///   - a: the substance or store that it changes.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - filePath: as `fileID`.
  ///   - line: as `fileID`.
  ///   - column: as `fileID`.
  ///   - expected: changes the state before into the expected state. If `exhaustivity` is off, it gets the actual
  ///     state, and the values that it writes must be equal to those.
  public func send<A: Sendable>(
    _ action: any FluxAction,
    with dispatcher: FluxDispatcher? = nil,
    changing a: TypedSubstance<A>,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A) throws -> Void
  ) rethrows {
    let step = TestStep(self, fileID, filePath, line, column)
    let states = ExpectedStates(step, a)
    step.complain(about: step.dispatch(action, with: dispatcher, isolation: isolation), of: action)
    try states.end(expected)
  }

  /// Dispatches an action, which must change two states as `expected` does, and change nothing else. `expected` gets
  /// both states as parameters.
  public func send<A: Sendable, B: Sendable>(
    _ action: any FluxAction,
    with dispatcher: FluxDispatcher? = nil,
    changing a: TypedSubstance<A>,
    _ b: TypedSubstance<B>,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A, inout B) throws -> Void
  ) rethrows {
    let step = TestStep(self, fileID, filePath, line, column)
    let states = ExpectedStates(step, a, b)
    step.complain(about: step.dispatch(action, with: dispatcher, isolation: isolation), of: action)
    try states.end { try expected(&$0.0, &$0.1) }
  }

  /// Dispatches an action, which must change any number of states as `expected` does, and change nothing else.
  /// `expected` gets all of the states as one tuple.
  public func send<each S: Sendable>(
    _ action: any FluxAction,
    with dispatcher: FluxDispatcher? = nil,
    changing substances: repeat TypedSubstance<each S>,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout (repeat each S)) throws -> Void
  ) rethrows {
    let step = TestStep(self, fileID, filePath, line, column)
    let states = ExpectedStates(step, repeat each substances)
    step.complain(about: step.dispatch(action, with: dispatcher, isolation: isolation), of: action)
    try states.end(expected)
  }
}
