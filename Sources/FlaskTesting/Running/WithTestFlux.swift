/// Performs a test with a separate flux, which is the current flux during the test. The app's objects belong to this
/// flux, so tests can run in parallel.
///
/// At the end, faults are issues at the lines that caused them. Unless `test.exhaustivity` is off, the following are
/// issues, too: changes that were not asserted, actions of effects that were not received, effects that have not ended,
/// locks that are held, and substances, reactors and observations that are still retained. An issue is reported to
/// Swift Testing if one of its tests is running, as a failure to XCTest if that runs, and otherwise as a line on
/// standard error.
///
/// - Parameters:
///   - order: the order of jobs and actions that are ready at the same time; `nil` for the order of a random seed,
///     which failures print.
///   - onIssue: gets the issues instead of the test's runner.
///   - isolation: the isolation of the caller; supplied by the compiler.
///   - fileID: the source location; supplied by the compiler.
///   - filePath: as `fileID`.
///   - line: as `fileID`.
///   - column: as `fileID`.
///   - body: the test.
/// - Returns: the result of `body`. A substance in the result counts as still retained.
public func withTestFlux<Result>(
  order: TestOrder? = nil,
  onIssue: (@Sendable (TestIssue) -> Void)? = nil,
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ body: (_ test: TestFlux) async throws -> Result
) async rethrows -> Result {
  let place = TestPlace(fileID, filePath, line, column)
  let test = TestFlux(order ?? .random, at: place, onIssue ?? { TestRunner.report($0) })
  return try await test.perform(body)
}

/// Performs a synchronous test. For everything else see the asynchronous `withTestFlux`.
@_disfavoredOverload
public func withTestFlux<Result>(
  order: TestOrder? = nil,
  onIssue: (@Sendable (TestIssue) -> Void)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ body: (_ test: TestFlux) throws -> Result
) rethrows -> Result {
  let place = TestPlace(fileID, filePath, line, column)
  let test = TestFlux(order ?? .random, at: place, onIssue ?? { TestRunner.report($0) })
  do {
    let result = try Flux.$current.withValue(test.flux) {
      let result = try body(test)
      test.drain(at: place)
      return result
    }
    test.finish(isFailed: false)()
    return result
  } catch {
    test.finish(isFailed: true)()
    throw error
  }
}

extension TestFlux {
  func perform<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (_ test: TestFlux) async throws -> Result
  ) async rethrows -> Result {
    do {
      let result = try await Flux.$current.withValue(flux) {
        let result = try await body(self)
        await drainWithMain(at: place)
        return result
      }
      let end = finish(isFailed: false)
      await drainWithMain(at: place)
      end()
      return result
    } catch {
      let end = finish(isFailed: true)
      await drainWithMain(at: place)
      end()
      throw error
    }
  }
}

extension TestOrder {
  static var random: TestOrder { .seed(UInt64.random(in: 1...999_999)) }
}
