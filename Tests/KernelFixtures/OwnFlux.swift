import Testing

import FlaskCore

/// Gives each test a flux of its own, whose faults are collected. A test that leaves faults unread fails.
struct OwnFlux: TestTrait, SuiteTrait, TestScoping {
  let isRecursive = true

  func scopeProvider(for test: Test, testCase: Test.Case?) -> OwnFlux? { testCase == nil ? nil : self }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let flux = Flux()
    let faults = FaultLog()
    flux.onFault = { faults.append($0) }
    try await FaultLog.$current.withValue(faults) {
      try await Flux.$current.withValue(flux) { try await function() }
    }
    #expect(faults.take().map(\.description) == [], "faults that the test did not expect")
  }
}

extension Trait where Self == OwnFlux {
  static var ownFlux: Self { Self() }
}
