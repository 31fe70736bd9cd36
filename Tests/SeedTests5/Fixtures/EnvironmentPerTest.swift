import Flask
import Testing
import XCTest

/// Gives each test of a suite a `SnippetEnvironment` of its own.
struct EnvironmentPerTest: TestTrait, SuiteTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await SnippetEnvironment.setUp { try await function() }
  }
}

extension Trait where Self == EnvironmentPerTest {
  static var environmentPerTest: EnvironmentPerTest { EnvironmentPerTest() }
}

/// A test case each of whose tests has a `SnippetEnvironment` of its own.
class EnvironmentTestCase: XCTestCase {
  override func invokeTest() {
    SnippetEnvironment.setUp { super.invokeTest() }
  }
}

/// A test case each of whose tests has an empty default archive, in memory, and no delays.
class ArchiveTestCase: EnvironmentTestCase {
  override func invokeTest() {
    let usual = Flask.defaultArchive
    Flask.defaultArchive = MemoryArchive()
    super.invokeTest()
    Flask.defaultArchive = usual
  }

  override func setUp() {
    super.setUp()
    SnippetEnvironment.current.skipDelays()
  }
}
