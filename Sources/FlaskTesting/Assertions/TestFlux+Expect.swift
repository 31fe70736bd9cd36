public import FlaskCore

extension TestFlux {
  // One function for each number: a list of `inout` parameters can't be abstracted over.

  /// Performs `body`, which changes one state as the closure says, and nothing else.
  ///
  /// ```swift
  /// await test.expect(changing: cart) { $0.total = 1 } by: { screen.tapAdd() }
  /// ```
  /// - Parameters:
  ///   - a: what it changes: a substance or a store.
  ///   - isolation: where the caller is; leave it out.
  ///   - fileID: where an issue is; leave it out.
  ///   - filePath: as `fileID`.
  ///   - line: as `fileID`.
  ///   - column: as `fileID`.
  ///   - expected: makes of the state before the state that is to be; see `send`.
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
    var a = ExpectedState(a, self)
    let result = try await body()
    a.look()
    try expected(&a.state)
    step.end([a.asserted])
    return result
  }

  /// Performs `body`, which changes two substances as the closure says, and nothing else.
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
    var a = ExpectedState(a, self)
    var b = ExpectedState(b, self)
    let result = try await body()
    a.look()
    b.look()
    try expected(&a.state, &b.state)
    step.end([a.asserted, b.asserted])
    return result
  }

  /// Performs `body`, which changes three substances as the closure says, and nothing else.
  @discardableResult
  public func expect<A: Sendable, B: Sendable, C: Sendable, Result>(
    changing a: TypedSubstance<A>,
    _ b: TypedSubstance<B>,
    _ c: TypedSubstance<C>,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A, inout B, inout C) throws -> Void,
    by body: () async throws -> Result
  ) async rethrows -> Result {
    let step = TestStep(self, fileID, filePath, line, column)
    var a = ExpectedState(a, self)
    var b = ExpectedState(b, self)
    var c = ExpectedState(c, self)
    let result = try await body()
    a.look()
    b.look()
    c.look()
    try expected(&a.state, &b.state, &c.state)
    step.end([a.asserted, b.asserted, c.asserted])
    return result
  }

  /// Performs `body`, which changes four substances as the closure says, and nothing else.
  @discardableResult
  public func expect<A: Sendable, B: Sendable, C: Sendable, D: Sendable, Result>(
    changing a: TypedSubstance<A>,
    _ b: TypedSubstance<B>,
    _ c: TypedSubstance<C>,
    _ d: TypedSubstance<D>,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ expected: (inout A, inout B, inout C, inout D) throws -> Void,
    by body: () async throws -> Result
  ) async rethrows -> Result {
    let step = TestStep(self, fileID, filePath, line, column)
    var a = ExpectedState(a, self)
    var b = ExpectedState(b, self)
    var c = ExpectedState(c, self)
    var d = ExpectedState(d, self)
    let result = try await body()
    a.look()
    b.look()
    c.look()
    d.look()
    try expected(&a.state, &b.state, &c.state, &d.state)
    step.end([a.asserted, b.asserted, c.asserted, d.asserted])
    return result
  }
}
