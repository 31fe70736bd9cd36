import FlaskViews
import Foundation
import Testing
@testable import KernelFixtures

/// Random programs of commits, beside lists that are filtered and sorted by hand after each.
@Suite(.ownFlux) struct RandomViewsTests {
  /// How many programs run: `FLASK_PROGRAMS`, or enough to see a fault.
  private static let count = ProcessInfo.processInfo.environment["FLASK_PROGRAMS"].flatMap { Int($0) } ?? 24
  private static let firstSeed = ProcessInfo.processInfo.environment["FLASK_SEED"].flatMap { Int($0) } ?? 0

  @Test(arguments: 0..<4)
  func `views are equal to lists computed by hand, and so are tables that apply the changes`(part: Int) {
    for seed in stride(from: Self.firstSeed + part, to: Self.firstSeed + Self.count, by: 4) {
      var program = ViewProgram(seed: seed)
      for _ in 0..<30 {
        program.step()
        if let difference = program.difference() {
          Issue.record("seed \(seed): \(difference)")
          return
        }
      }
    }
  }
}
