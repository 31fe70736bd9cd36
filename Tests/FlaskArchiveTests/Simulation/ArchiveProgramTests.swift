import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

extension ArchivesTests {
  /// Histories of events over real substances and groups.
  @Suite struct ArchiveProgramTests {
    @Test func `what an answer says, a new process reads`() {
      var found: [String: (seed: UInt64, history: [ArchiveEvent])] = [:]
      for seed in 0..<UInt64(Workload.count(100, full: 5_000)) {
        let history = ArchiveEvent.history(seed: seed, count: 60)
        guard let kind = Self.kind(of: history) else { continue }
        if found[kind] == nil { found[kind] = (seed, history.shortened { Self.kind(of: $0) == kind }) }
        if found.count >= 9 { break }
      }
      for (kind, (seed, history)) in found {
        let lines = history.map { "  \($0)" }.joined(separator: "\n")
        Issue.record("seed \(seed), \(kind): \(ArchiveProgram.failure(of: history) ?? "")\n\(lines)")
      }
    }

    /// The failure without its numbers.
    private static func kind(of history: [ArchiveEvent]) -> String? {
      ArchiveProgram.failure(of: history)?.replacing(#/[0-9]+/#, with: "#")
    }
  }
}
