import Testing

/// Gives each test of a suite a `Stage` of its own.
struct OwnStage: TestTrait, SuiteTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Stage.setUp { try await function() }
  }
}

extension Trait where Self == OwnStage {
  static var ownStage: OwnStage { OwnStage() }
}
