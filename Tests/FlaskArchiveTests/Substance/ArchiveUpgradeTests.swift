import Foundation
import Testing

@testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// Two versions of an app share a group: the state of the older one has `lines`, that of the newer one `titles`.
  @Suite struct ArchiveUpgradeTests {
    private let shared = SharedArchive()

    @Test func `an older process is notified each time that nothing of it is saved`() async {
      let (here, there) = (shared.group(), shared.group())
      let older = OlderList(name: "a", archive: true, in: here)
      let other = Substance<Tally>(name: "other", archive: true, in: here)
      let newer = NewerList(name: "a", archive: true, in: there)
      newer.change { $0.prop.titles = ["new"] }
      #expect(there.archiveNow())
      shared.settle(here, there)
      #expect(FaultLog.takeKinds() == [.archiveUnreadable])
      older.change { $0.prop.lines = ["lost?"] }
      for _ in 0..<3 {
        #expect(!here.archiveNow())
        #expect(await !here.archiveNow())
        #expect(!older.archiveNow())
        #expect(await !older.archiveNow())
        #expect(FaultLog.takeKinds() == Array(repeating: .archiveNotSaved, count: 4))
      }
      // It is none of the others' business.
      other.change { $0.prop.counter = 1 }
      #expect(other.archiveNow())
      #expect(await other.archiveNow())
      #expect(FaultLog.takeKinds() == [])
      let last = shared.group()
      #expect(NewerList(name: "a", archive: true, in: last).state.titles == ["new"])
      #expect(Substance<Tally>(name: "other", archive: true, in: last).state.counter == 1)
      other.change { $0.prop.counter = 2 }
      #expect(!Flask.flushArchives())
      #expect(FaultLog.takeKinds() == [.archiveNotSaved])
    }

    @Test func `an older process that starts late leaves the newer archive where it is`() {
      let there = shared.group()
      let newer = NewerList(name: "a", archive: true, in: there)
      newer.change { $0.prop.titles = ["new"] }
      #expect(there.archiveNow())
      let here = shared.group()
      let older = OlderList(name: "a", archive: true, in: here)
      older.change { $0.prop.lines = ["old"] }
      #expect(!older.archiveNow())
      #expect(FaultLog.takeKinds() == [.archiveUnreadable, .archiveNotSaved])
      #expect(shared.backend.keys(withPrefix: "Fx.1.a") == [])
      #expect(NewerList(name: "a", archive: true, in: shared.group()).state.titles == ["new"])
    }

    /// The newer process has read what the older one wrote, and has not saved yet.
    @Test(arguments: [false, true], [false, true])
    func `what an older process acknowledges meanwhile arrives, and stays`(
      _ hasChanged: Bool,
      _ isMerged: Bool
    ) {
      let (here, there) = (shared.group(), shared.group())
      if isMerged {
        there.merge(Titles.self) { base, mine, theirs in
          Titles(
            titles: mine.titles + theirs.titles.filter { !base.titles.contains($0) },
            count: theirs.count
          )
        }
      }
      let older = OlderList(name: "a", archive: true, in: here)
      older.change { $0.prop.lines = ["one"] }
      #expect(older.archiveNow())
      let newer = Flux.$current.withValue(Flux()) { NewerList(name: "a", archive: true, in: there) }
      #expect(newer.state.titles == ["one"])
      if hasChanged { newer.change { $0.prop.titles.append("mine") } }
      // Nothing comes in before it is saved here.
      let lock = newer.flux.lock()
      older.change { $0.prop = Lines(lines: ["one", "two"], count: 2) }
      #expect(older.archiveNow())
      lock.release()
      #expect(there.archiveNow())
      shared.settle(there)
      #expect(newer.state.count == 2)
      let titles = isMerged ? ["one", "mine", "two"] : ["one", "mine"]
      #expect(newer.state.titles == (hasChanged ? titles : ["one", "two"]))
      #expect(NewerList(name: "a", archive: true, in: shared.group()).state.count == 2)
      shared.settle(here)
      // The older one is told of the newer archive, once there is one.
      #expect(FaultLog.takeKinds() == (hasChanged ? [.archiveUnreadable] : []))
    }

    @Test func `the first save after a migration merges nothing and damages nothing`() {
      let here = shared.group()
      let older = OlderList(name: "a", archive: true, in: here)
      older.change { $0.prop.lines = ["one"] }
      #expect(older.archiveNow())
      let there = shared.group()
      there.merge(Titles.self) { _, mine, _ in mine }
      let newer = NewerList(name: "a", archive: true, in: there)
      newer.change { $0.prop.titles.append("two") }
      #expect(there.archiveNow())
      shared.settle(here, there)
      #expect(FaultLog.takeKinds() == [.archiveUnreadable])
      #expect(shared.backend.keys(withPrefix: "Fx.1.a") == [])
      #expect(NewerList(name: "a", archive: true, in: shared.group()).state.titles == ["one", "two"])
      withExtendedLifetime(older) {}
    }

    /// Reads, saves and arrivals of both in any order: what was acknowledged is in the last state.
    @Test func `a rolling upgrade loses nothing that was acknowledged`() {
      for round in 0..<Proof.count(150, full: 5_000) {
        var random = SeededGenerator(seed: UInt64(round))
        let shared = SharedArchive()
        let (here, there) = (shared.group(), shared.group())
        let ofOlder = Flux(expecting: .archiveUnreadable, .archiveNotSaved)
        let older = Flux.$current.withValue(ofOlder) { OlderScores(name: "a", archive: true, in: here) }
        var newer: NewerScores?
        var acknowledged: Set<String> = []
        for turn in 0..<24 {
          switch Int.random(in: 0..<7, using: &random) {
          case 0, 1:
            older.change { $0.prop.points["old\(turn)"] = turn }
            if older.archiveNow() { acknowledged = Set(older.state.points.keys).union(acknowledged) }
          case 2 where newer == nil:
            newer = Flux.$current.withValue(Flux()) { NewerScores(name: "a", archive: true, in: there) }
          case 3: newer?.change { $0.prop.scores["new\(turn)"] = turn }
          case 4: if let newer, newer.archiveNow() { acknowledged.formUnion(newer.state.scores.keys) }
          case 5: here.settle()
          default: there.settle()
          }
        }
        shared.settle(here, there)
        let last = NewerScores(name: "a", archive: true, in: shared.group())
        #expect(acknowledged.isSubset(of: last.state.scores.keys), "round \(round)")
        let present = newer?.state.scores ?? last.state.scores
        #expect(acknowledged.isSubset(of: present.keys), "round \(round)")
      }
      #expect(FaultLog.takeKinds().allSatisfy { $0 == .archiveUnreadable || $0 == .archiveNotSaved })
    }
  }
}

private struct Lines: FlaskState {
  var lines: [String] = []
  var count = 0
}

private struct Titles: FlaskState {
  var titles: [String] = []
  var count = 0
}

private final class OlderList: Substance<Lines>, @unchecked Sendable {}

private final class NewerList: Substance<Titles>, @unchecked Sendable {
  override func archiveVersion() -> Int { 1 }
  override func migrateArchive(from version: Int, _ archive: inout ArchiveValue) {
    archive.rename("lines", to: "titles")
  }
}

private struct Points: FlaskState { var points: [String: Int] = [:] }
private struct Scores: FlaskState { var scores: [String: Int] = [:] }

private final class OlderScores: Substance<Points>, @unchecked Sendable {}

private final class NewerScores: Substance<Scores>, @unchecked Sendable {
  override func archiveVersion() -> Int { 1 }
  override func migrateArchive(from version: Int, _ archive: inout ArchiveValue) {
    archive.rename("points", to: "scores")
  }
}
