extension TestFlux {
  // Closures get one or two states as parameters, and more states as one tuple, since a parameter pack cannot be
  // `inout`.

  /// Performs `body`, which must change one state as the closure says, and change nothing else.
  ///
  /// ```swift
  /// test.expect(changing: cart) { $0.total = 1 } by: { screen.tapAdd() }
  /// ```
  /// - Parameters:
  ///   - a: the substance or store that it changes.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - filePath: as `fileID`.
  ///   - line: as `fileID`.
  ///   - column: as `fileID`.
  ///   - expected: changes the state before into the expected state; see `send`.
  ///   - body: any code.
  /// - Returns: what `body` returns.
  @discardableResult
  @_disfavoredOverload
  public func expect<A: Sendable, Result>(
    changing a: TypedSubstance<A>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A) throws -> Void,
    by body: () throws -> Result
  ) rethrows -> Result {
    let step = TestStep(self, fileID, filePath, line, column)
    let states = ExpectedStates(step, a)
    let result = try body()
    try states.end(expected)
    return result
  }

  /// Performs `body`, which must change two states as `expected` does, and change nothing else. `expected` gets both
  /// states as parameters.
  @discardableResult
  @_disfavoredOverload
  public func expect<A: Sendable, B: Sendable, Result>(
    changing a: TypedSubstance<A>,
    _ b: TypedSubstance<B>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A, inout B) throws -> Void,
    by body: () throws -> Result
  ) rethrows -> Result {
    let step = TestStep(self, fileID, filePath, line, column)
    let states = ExpectedStates(step, a, b)
    let result = try body()
    try states.end { try expected(&$0.0, &$0.1) }
    return result
  }

  /// Performs `body`, which must change any number of states as `expected` does, and change nothing else. `expected`
  /// gets all of the states as one tuple.
  @discardableResult
  @_disfavoredOverload
  public func expect<each S: Sendable, Result>(
    changing substances: repeat TypedSubstance<each S>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout (repeat each S)) throws -> Void,
    by body: () throws -> Result
  ) rethrows -> Result {
    let step = TestStep(self, fileID, filePath, line, column)
    let states = ExpectedStates(step, repeat each substances)
    let result = try body()
    try states.end(expected)
    return result
  }
}
