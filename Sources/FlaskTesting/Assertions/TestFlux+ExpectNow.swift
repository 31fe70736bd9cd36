extension TestFlux {
  // One function for each number: a list of `inout` parameters can't be abstracted over.

  /// Performs `body`, which changes one state as the closure says, and nothing else.
  ///
  /// ```swift
  /// test.expect(changing: cart) { $0.total = 1 } by: { screen.tapAdd() }
  /// ```
  /// - Parameters:
  ///   - a: what it changes: a substance or a store.
  ///   - fileID: where an issue is; leave it out.
  ///   - filePath: as `fileID`.
  ///   - line: as `fileID`.
  ///   - column: as `fileID`.
  ///   - expected: makes of the state before the state that is to be; see `send`.
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
    let a = step.state(a)
    let result = try body()
    try step.end(a) { try expected(&a.state) }
    return result
  }

  /// Performs `body`, which changes two substances as the closure says, and nothing else.
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
    let (a, b) = (step.state(a), step.state(b))
    let result = try body()
    try step.end(a, b) { try expected(&a.state, &b.state) }
    return result
  }

  /// Performs `body`, which changes three substances as the closure says, and nothing else.
  @discardableResult
  @_disfavoredOverload
  public func expect<A: Sendable, B: Sendable, C: Sendable, Result>(
    changing a: TypedSubstance<A>,
    _ b: TypedSubstance<B>,
    _ c: TypedSubstance<C>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A, inout B, inout C) throws -> Void,
    by body: () throws -> Result
  ) rethrows -> Result {
    let step = TestStep(self, fileID, filePath, line, column)
    let (a, b, c) = (step.state(a), step.state(b), step.state(c))
    let result = try body()
    try step.end(a, b, c) { try expected(&a.state, &b.state, &c.state) }
    return result
  }

  /// Performs `body`, which changes four substances as the closure says, and nothing else.
  @discardableResult
  @_disfavoredOverload
  public func expect<A: Sendable, B: Sendable, C: Sendable, D: Sendable, Result>(
    changing a: TypedSubstance<A>,
    _ b: TypedSubstance<B>,
    _ c: TypedSubstance<C>,
    _ d: TypedSubstance<D>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A, inout B, inout C, inout D) throws -> Void,
    by body: () throws -> Result
  ) rethrows -> Result {
    let step = TestStep(self, fileID, filePath, line, column)
    let (a, b, c, d) = (step.state(a), step.state(b), step.state(c), step.state(d))
    let result = try body()
    try step.end(a, b, c, d) { try expected(&a.state, &b.state, &c.state, &d.state) }
    return result
  }
}
