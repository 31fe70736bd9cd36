import FlaskInsight
import Foundation
import Testing
import TestSupport

/// Random programs, recorded on up to four threads and replayed in both ways.
@Suite struct ReplayProofTests {
  private static let count = Proof.count(50, full: 1_000)

  private struct Recorded {
    let recording: Recording
    /// The states that each substance has been through, by name.
    let states: [[Ledger]]
    let last: [Ledger]
  }

  private func record(seed: UInt64, in file: RecordingFile) async throws -> Recorded {
    let app = RandomApp(in: Flux())
    let logs = [StateLog(of: app.store), StateLog(of: app.tags), StateLog(of: app.plain)]
    let recorder = try Recorder(
      to: file.url,
      of: app.flux,
      limits: RecordingLimits(operations: seed % 5 == 0 ? 40 : nil)
    )
    await app.run(seed: seed, threads: 1 + Int(seed % 4), steps: 12)
    await recorder.stop()
    let recording = try Recording(contentsOf: file.url)
    return Recorded(recording: recording, states: logs.map(\.all), last: app.states)
  }

  /// What the states were after an operation, by those that the substances have been through.
  private func states(of recorded: Recorded, after number: Int) -> [Ledger] {
    let names = ["store", "tags", "plain"]
    var states: [Ledger] = []
    for (name, all) in zip(names, recorded.states) {
      let substance = recorded.recording.substances.first { $0.name == name }?.number
      let later = recorded.recording.operations.filter { operation in
        operation.number > number
          && operation.changes.contains { $0.number == substance && !$0.keys.isEmpty }
      }
      let index = all.count - 1 - later.count
      states.append(all.indices.contains(index) ? all[index] : Ledger(count: .min))
    }
    return states
  }

  @Test func `replayed by state, a recording gives every state at every number`() async throws {
    var failures: [String] = []
    for seed in 1...UInt64(Self.count) {
      let file = try RecordingFile()
      let recorded = try await record(seed: seed, in: file)
      #expect(recorded.recording.isComplete)
      let numbers = recorded.recording.operations.map(\.number)

      let silent = Flux.$current.withValue(Flux()) {
        ["store", "tags", "plain"].map { Substance(Ledger(), name: $0) }
      }
      let known = Set(recorded.recording.substances.map(\.name))
      let player = try RecordingPlayer(recorded.recording, on: silent)
      var generator = SeededGenerator(seed: seed)
      let jumps = (0..<10).compactMap { _ in numbers.randomElement(using: &generator) }
      for number in [(numbers.first ?? 1) - 1] + numbers + jumps + numbers.reversed() {
        try await player.seek(to: number)
        let expected = states(of: recorded, after: number)
        for (substance, state) in zip(silent, expected) where known.contains(substance.name()) {
          if substance.state != state { failures.append("seed \(seed), \(substance.name()) at \(number)") }
        }
        if failures.count > 3 { break }
      }
    }
    #expect(failures == [])
  }

  @Test func `replayed by logic, a recording gives no difference`() async throws {
    var (performed, applied) = (0, 0)
    for seed in 1...UInt64(Self.count) {
      let file = try RecordingFile()
      let recorded = try await record(seed: seed, in: file)
      var kept: RandomApp?
      let report = try await recorded.recording.replay(
        actions: [Deposit.self, Fetch.self, Loaded.self, Declined.self]
      ) {
        let app = RandomApp(in: Flux.current)
        kept = app
        return app.substances
      }
      performed += report.performed
      applied += report.applied
      #expect(report.difference == nil, "seed \(seed)")
      #expect(kept?.states == recorded.last, "seed \(seed)")
      if report.difference != nil { break }
    }
    #expect(performed > 10 * Self.count)
    #expect(applied > Self.count)
  }

  @Test func `one changed reducer: the first operation that differs is named`() async throws {
    var found = 0
    for seed in 1...UInt64(Self.count / 4) {
      let file = try RecordingFile()
      let recorded = try await record(seed: seed, in: file)
      // Older parts may be gone, and with them the first such action.
      let first = recorded.recording.operations.first { operation in
        guard operation.name == "Deposit" else { return false }
        let lines = try? file.lines.first {
          $0.contains(#""line":"operation","number":\#(operation.number),"#)
        }
        let amount = lines?.firstMatch(of: /"value":{"amount":([0-9]+)}/).flatMap { Int($0.1) }
        return amount.map { $0 > 90 } ?? false
      }
      if recorded.recording.isBeginningMissing { continue }
      var kept: RandomApp?
      let report = try await recorded.recording.replay(
        actions: [Deposit.self, Fetch.self, Loaded.self, Declined.self]
      ) {
        let app = RandomApp(in: Flux.current, interest: 1)
        kept = app
        return app.substances
      }
      withExtendedLifetime(kept) {}
      #expect(report.difference?.number == first?.number, "seed \(seed)")
      if first != nil { found += 1 }
    }
    #expect(found > 0)
  }
}
