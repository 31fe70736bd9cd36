import Foundation
import Testing

@testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// Groups that other processes write, too: here several groups of one process stand for them.
  @Suite struct ArchiveSharingTests {
    private let shared = SharedArchive()

    @Test func `what another has written comes in as an operation, and is not written again`() {
      let (here, there) = (shared.group(), shared.group())
      let mine = Watched(Substance<Tally>(name: "a", archive: true, in: here))
      let theirs = Substance<Tally>(name: "a", archive: true, in: there)
      theirs.change { $0.prop.counter = 5 }
      #expect(there.archiveNow())
      shared.settle(here, there)
      #expect(mine.substance.state.counter == 5)
      #expect(mine.heard.count == 1)
      #expect(shared.backend.saves == 1)
      shared.clock.advance(by: .seconds(60))
      #expect(here.archiveNow())
      #expect(there.archiveNow())
      shared.settle(here, there)
      #expect(shared.backend.saves == 1)
    }

    @Test func `what two have changed is merged key by key; of one key the last written stays`() {
      let (here, there) = (shared.group(), shared.group())
      let mine = Substance<Profile>(name: "a", archive: true, in: here)
      let theirs = Substance<Profile>(name: "a", archive: true, in: there)
      mine.change {
        $0.prop.info.title = "mine"
        $0.prop.info.nest.bar = 10
        $0.prop.scores["mine"] = 1
      }
      theirs.change {
        $0.prop.info.nest.foo = "theirs"
        $0.prop.info.nest.bar = 20
        $0.prop.scores["theirs"] = 2
      }
      #expect(there.archiveNow())
      shared.settle(here, there)
      #expect(mine.state.info.nest.foo == "theirs")
      #expect(mine.state.info.nest.bar == 10)
      #expect(here.archiveNow())
      shared.settle(here, there)
      for substance in [mine, theirs] {
        #expect(substance.state.info.title == "mine")
        #expect(substance.state.info.nest.foo == "theirs")
        #expect(substance.state.info.nest.bar == 10)
        #expect(substance.state.scores == ["mine": 1, "theirs": 2])
      }
      #expect(shared.backend.saves == 2)
    }

    @Test func `a closure merges what it is given`() {
      let (here, there) = (shared.group(), shared.group())
      here.merge(Tally.self) { base, mine, theirs in
        var merged = theirs
        merged.counter += mine.counter - base.counter
        return merged
      }
      let mine = Substance<Tally>(name: "a", archive: true, in: here)
      let theirs = Substance<Tally>(name: "a", archive: true, in: there)
      mine.change { $0.prop.counter = 3 }
      theirs.change { $0.prop.counter = 4 }
      #expect(there.archiveNow())
      #expect(here.archiveNow())
      shared.settle(here, there)
      #expect(mine.state.counter == 7)
      #expect(theirs.state.counter == 7)
    }

    @Test func `what was written together comes in together`() {
      let (here, there) = (shared.group(), shared.group())
      let mine = ["a", "b"].map { Substance<Tally>(name: $0, archive: true, in: here) }
      let theirs = ["a", "b"].map { Substance<Tally>(name: $0, archive: true, in: there) }
      let owner = Owner()
      let sums = Recorder<Int>()
      let watch = Flask.reactor(attachedTo: owner, mixing: mine) { _, _ in
        sums.append(mine[0].state.counter + mine[1].state.counter)
      }
      for amount in 1...3 {
        Flask.reactor(attachedTo: owner, mixing: theirs)
          .mixing(theirs[0]) { $0.prop.counter -= amount }.with(theirs[1]) { $0.prop.counter += amount }
          .andReact(isolation: nil)
        #expect(there.archiveNow())
        shared.settle(here, there)
      }
      #expect(mine.map(\.state.counter) == [-6, 6])
      #expect(sums.all == [0, 0, 0, 0, 0, 0] || sums.all == [0, 0, 0])
      withExtendedLifetime(watch) {}
    }

    @Test func `parts of substances that are not here are left to those that have them`() {
      let (here, there) = (shared.group(), shared.group())
      let a = Substance<Tally>(name: "a", archive: true, in: here)
      let b = Substance<Tally>(name: "b", archive: true, in: there)
      for turn in 1...3 {
        a.change { $0.prop.counter = turn }
        b.change { $0.prop.counter = turn * 10 }
        #expect(here.archiveNow())
        #expect(there.archiveNow())
      }
      shared.settle(here, there)
      let last = shared.group()
      #expect(Substance<Tally>(name: "a", archive: true, in: last).state.counter == 3)
      #expect(Substance<Tally>(name: "b", archive: true, in: last).state.counter == 30)
    }

    @Test func `properties that only another version of the app knows are kept`() {
      let (here, there) = (shared.group(), shared.group())
      let mine = Substance<Half>(name: "a", archive: true, in: here)
      let theirs = Substance<Tally>(name: "a", archive: true, in: there)
      theirs.change { $0.prop.text = "only there" }
      #expect(there.archiveNow())
      shared.settle(here, there)
      mine.change { $0.prop.counter = 1 }
      #expect(here.archiveNow())
      shared.settle(here, there)
      #expect(theirs.state.counter == 1)
      #expect(theirs.state.text == "only there")
    }

    @Test func `what comes in while the flux is locked waits, and is lost by no one`() {
      let (here, there) = (shared.group(), shared.group())
      let mine = Substance<Tally>(name: "a", archive: true, in: here)
      let theirs = Flux.$current.withValue(Flux()) { Substance<Tally>(name: "a", archive: true, in: there) }
      let lock = Flask.lock()
      theirs.change { $0.prop.counter = 1 }
      #expect(there.archiveNow())
      shared.settle(here, there)
      mine.change { $0.prop.text = "mine" }
      #expect(here.archiveNow())
      #expect(mine.state.counter == 0)
      lock.release()
      shared.settle(here, there)
      #expect(here.archiveNow())
      shared.settle(here, there)
      #expect(mine.state.counter == 1)
      #expect(theirs.state.counter == 1)
      #expect(theirs.state.text == "mine")
    }

    @Test func `what has been written is not a change any more, even if what others did is not here yet`() {
      let (here, there) = (shared.group(), shared.group())
      let mine = Substance<Tally>(name: "a", archive: true, in: here)
      let theirs = Flux.$current.withValue(Flux()) { Substance<Tally>(name: "a", archive: true, in: there) }
      mine.change { $0.prop.counter = 1 }
      let lock = Flask.lock()
      theirs.change { $0.prop.text = "theirs" }
      #expect(there.archiveNow())
      #expect(here.archiveNow())
      shared.settle(here, there)
      #expect(theirs.state.counter == 1)
      theirs.change { $0.prop.counter = 2 }
      #expect(there.archiveNow())
      #expect(here.archiveNow())
      shared.settle(here, there)
      lock.release()
      shared.settle(here, there)
      #expect(mine.state.counter == 2)
      #expect(theirs.state.counter == 2)
      #expect(mine.state.text == "theirs")
    }

    @Test func `a backend that cannot report is one fault, and the group is saved all the same`() {
      shared.backend.failObserving(.system(call: "inotify_init1", code: EMFILE, path: ""))
      let (here, there) = (shared.group(), shared.group())
      let mine = Substance<Tally>(name: "a", archive: true, in: here)
      let theirs = Substance<Tally>(name: "a", archive: true, in: there)
      shared.settle(here, there)
      #expect(FaultLog.takeKinds() == [.archiveWarning, .archiveWarning])
      theirs.change { $0.prop.counter = 1 }
      #expect(there.archiveNow())
      shared.settle(here, there)
      #expect(mine.state.counter == 0)
      shared.backend.failObserving(nil)
      mine.change { $0.prop.text = "mine" }
      #expect(here.archiveNow())
      shared.settle(here, there)
      #expect(mine.state.counter == 1)
      #expect(FaultLog.takeKinds() == [])
    }

    @Test func `a damaged part is quarantined, and ours takes its place`() {
      let here = shared.group()
      let a = Substance<Tally>(name: "a", archive: true, in: here)
      let b = Substance<Tally>(name: "b", archive: true, in: here)
      for member in [a, b] { member.change { $0.prop.counter = 1 } }
      #expect(here.archiveNow())
      var parts = here.archiver.contents.partsInBackend
      parts["Fx.1.a"]?[40] ^= 1
      shared.backend.archive.save(GroupFormat.wrap(parts, name: "session"), for: "FxGroup.session")
      shared.settle(here)
      #expect(FaultLog.takeKinds().contains(.archiveCorrupt))
      b.change { $0.prop.counter = 2 }
      #expect(here.archiveNow())
      let last = shared.group()
      #expect(Substance<Tally>(name: "a", archive: true, in: last).state.counter == 1)
      #expect(Substance<Tally>(name: "b", archive: true, in: last).state.counter == 2)
      // A save that is waited for does not wait until the damage that it has found is reported.
      shared.settle(here, last)
      _ = FaultLog.takeKinds()
    }

    @Test func `a folder reports other writers, and is waited for when it was removed`() async {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("FlaskTests-\(UUID().uuidString)", isDirectory: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let inner = folder.appendingPathComponent("a/b", isDirectory: true)
      let here = ArchiveGroup("session", in: FileArchive(directory: inner), sharing: true)
      let there = ArchiveGroup("session", in: FileArchive(directory: inner), sharing: true)
      let mine = Substance<Tally>(name: "a", archive: true, in: here)
      let theirs = Substance<Tally>(name: "a", archive: true, in: there)
      for turn in 1...3 {
        let heard = Signal()
        let token = mine.observe(key: "counter", isolation: nil) { change in
          if change.newValue() == turn { heard.fire() }
        }
        theirs.change { $0.prop.counter = turn }
        #expect(await there.archiveNow())
        await heard.wait()
        withExtendedLifetime(token) {}
        if turn < 3 { try? FileManager.default.removeItem(at: folder) }
      }
      #expect(await here.archiveNow())
      #expect(await there.archiveNow())
      // Whoever was about to save while the folder went says so.
      #expect(FaultLog.takeKinds().allSatisfy { $0 == .archiveNotSaved })
    }

    /// Each group changes keys of its own, one that all change, and both at once; each is held up now and then. In the
    /// end all have one state, and of each key that only one changes it is that one's last.
    @Test func `any number of writers end with the same state`() async {
      var generator = SeededGenerator(seed: UInt64.random(in: 0..<1_000_000))
      for round in 0..<Workload.count(20, full: 200) {
        let seed = generator.next() % 1_000_000
        var random = SeededGenerator(seed: seed)
        let shared = SharedArchive()
        let count = 2 + round % 3
        let groups = (0..<count).map { _ in shared.group() }
        let writers = groups.map { group in
          Flux.$current.withValue(Flux()) { Substance<Profile>(name: "a", archive: true, in: group) }
        }
        var last: [Int: Int] = [:]
        for turn in 1...60 {
          let index = Int.random(in: 0..<count, using: &random)
          switch Int.random(in: 0..<5, using: &random) {
          case 0, 1:
            last[index] = turn
            writers[index].change { $0.prop.scores["\(index)"] = turn }
          case 2: writers[index].change { $0.prop.info.nest.bar = turn }
          case 3: #expect(await groups[index].archiveNow())
          default: groups[index].settle()
          }
        }
        for _ in 0..<3 {
          for group in groups {
            #expect(await group.archiveNow())
            for group in groups { group.settle() }
          }
        }
        let saves = shared.backend.saves
        for group in groups { #expect(await group.archiveNow()) }
        for group in groups { group.settle() }
        let states = writers.map { "\($0.state)" }
        #expect(
          Set(writers.map { "\($0.state.scores.sorted { $0.key < $1.key }) \($0.state.info)" }).count == 1,
          "seed \(seed): \(states)"
        )
        for (index, turn) in last { #expect(writers[0].state.scores["\(index)"] == turn, "seed \(seed)") }
        #expect(shared.backend.saves == saves, "seed \(seed): written although nothing changed")
      }
    }
  }
}

/// What `Tally` was.
private struct Half: FlaskState {
  var counter = 0
}
