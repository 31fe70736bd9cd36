extension TestFlux {
  /// Mixes a substance: the closure is both the change and the assertion; nothing else changes.
  ///
  /// ```swift
  /// test.mix(counter) { $0.count += 1 }
  /// ```
  /// If reactions to the mix change other states, use `expect(changing:_:by:)`.
  ///
  /// - Parameters:
  ///   - substance: the substance to mix.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - filePath: as `fileID`.
  ///   - line: as `fileID`.
  ///   - column: as `fileID`.
  ///   - body: changes the state. It is called twice: for the mix, and for the assertion.
  public func mix<S: Sendable>(
    _ substance: Substance<S>,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @Sendable (inout S) throws -> Void
  ) {
    let step = TestStep(self, fileID, filePath, line, column)
    let expected = ExpectedStates(step, substance)
    step.mix(substance, isolation: isolation, body)
    // The mix has already reported its error.
    do { try expected.end(body) } catch { step.end() }
  }

  /// Advances the clock by `duration`, in steps from one sleeper to the next. After each step the effects run until all
  /// of them wait. No state may change in the meantime; for work that changes states, such as the revert of an
  /// optimistic change, call it in the `by:` of `expect(changing:_:by:)`.
  ///
  /// - Parameters:
  ///   - duration: the time by which the clock advances.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - filePath: as `fileID`.
  ///   - line: as `fileID`.
  ///   - column: as `fileID`.
  public func advance(
    by duration: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let step = TestStep(self, fileID, filePath, line, column)
    clock.advance(by: duration)
    step.end()
  }

  /// Advances the clock as the synchronous `advance` does. In addition, effects that use the main actor run until they
  /// wait, before and after the clock is moved.
  public func advance(
    by duration: Duration,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let step = TestStep(self, fileID, filePath, line, column)
    await drainWithMain(at: step.place)
    clock.advance(by: duration)
    await drainWithMain(at: step.place)
    step.end()
  }

  /// Runs effects and receives their actions until no effect and no action is ready. Every state change counts as
  /// asserted, except in the `by:` of `expect(changing:_:by:)`, which asserts those of its substances. If several jobs
  /// are ready, the order of the test decides which runs first. The clock does not advance.
  ///
  /// After 10,000 actions it returns, with an issue: the effects dispatch each other's actions without end.
  public func settle(
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let step = TestStep(self, fileID, filePath, line, column)
    await drainWithMain(at: step.place)
    var count = 0
    var last: Any.Type?
    while count < TestFlux.mostSettled, let held = environment.take({ _ in true }) {
      count += 1
      last = type(of: held.action)
      held.submit(isolation)
      await drainWithMain(at: step.place)
    }
    if count == TestFlux.mostSettled, let last {
      fail(
        "`settle` has received \(count) actions of effects, the last one a \(last), and effects that dispatch each "
          + "other's actions never settle; stop one of them, or receive their actions one by one",
        at: step.place
      )
    }
    _ = takeChanges()
    step.end()
  }

  /// How many actions `settle` receives at most.
  private static let mostSettled = 10_000
}
