extension TestFlux {
  // Closures get one or two states as parameters, and more states as one tuple, since a parameter pack cannot be
  // `inout`.

  /// Performs `body`, which must change one state as the closure says, and change nothing else.
  ///
  /// ```swift
  /// await test.expect(changing: cart) { $0.total = 1 } by: { screen.tapAdd() }
  /// ```
  /// - Parameters:
  ///   - a: the substance or store that it changes.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - filePath: as `fileID`.
  ///   - line: as `fileID`.
  ///   - column: as `fileID`.
  ///   - expected: changes the state before into the expected state; see `send`.
  ///   - body: any code.
  /// - Returns: what `body` returns.
  @discardableResult
  public func expect<A: Sendable, Result>(
    changing a: TypedSubstance<A>,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A) throws -> Void,
    by body: () async throws -> Result
  ) async rethrows -> Result {
    let step = TestStep(self, fileID, filePath, line, column)
    let states = ExpectedStates(step, a)
    let result = try await body()
    try states.end(expected)
    return result
  }

  /// Performs `body`, which must change two states as `expected` does, and change nothing else. `expected` gets both
  /// states as parameters.
  @discardableResult
  public func expect<A: Sendable, B: Sendable, Result>(
    changing a: TypedSubstance<A>,
    _ b: TypedSubstance<B>,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A, inout B) throws -> Void,
    by body: () async throws -> Result
  ) async rethrows -> Result {
    let step = TestStep(self, fileID, filePath, line, column)
    let states = ExpectedStates(step, a, b)
    let result = try await body()
    try states.end { try expected(&$0.0, &$0.1) }
    return result
  }

  /// Performs `body`, which must change any number of states as `expected` does, and change nothing else. `expected`
  /// gets all of the states as one tuple.
  @discardableResult
  public func expect<each S: Sendable, Result>(
    changing substances: repeat TypedSubstance<each S>,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout (repeat each S)) throws -> Void,
    by body: () async throws -> Result
  ) async rethrows -> Result {
    let step = TestStep(self, fileID, filePath, line, column)
    let states = ExpectedStates(step, repeat each substances)
    let result = try await body()
    try states.end(expected)
    return result
  }
}
