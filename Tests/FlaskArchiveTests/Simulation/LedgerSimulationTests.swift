import Dispatch
import FlaskPrimitives
import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

/// Histories of a ledger in a model of everything around it.
@Suite struct LedgerSimulationTests {
  private static let length = 200

  @Test(arguments: [false, true]) func `no history of a ledger breaks a promise`(isGroup: Bool) {
    let count = Proof.count(5_000, full: 1_000_000, of: "FLASK_HISTORIES")
    let found = Lock<UInt64?>(nil)
    DispatchQueue.concurrentPerform(iterations: 2) { half in
      for seed in stride(from: UInt64(half), to: UInt64(count), by: 2) {
        if found.withLock({ $0 }) != nil { return }
        if LedgerRun.problem(of: Self.history(seed), isGroup: isGroup) != nil {
          found.withLock { $0 = $0 ?? seed }
        }
      }
    }
    guard let seed = found.withLock({ $0 }) else { return }
    let history = Self.history(seed).shortened { LedgerRun.problem(of: $0, isGroup: isGroup) != nil }
    let problem = LedgerRun.problem(of: history, isGroup: isGroup) ?? ""
    Issue.record(
      "seed \(seed), group: \(isGroup): \(problem): \(history.map(\.name).joined(separator: ", "))"
    )
  }

  private static func history(_ seed: UInt64) -> [LedgerRun.Event] {
    var generator = SeededGenerator(seed: seed)
    return (0..<length).map { _ in
      let bits = generator.next()
      return LedgerRun.Event(kind: UInt8(bits >> 32 & 0xFF), target: UInt8(bits & 0xFF))
    }
  }
}
