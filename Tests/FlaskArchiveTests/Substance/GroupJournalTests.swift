import FlaskEntities
import Foundation
import Testing

@testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures

extension ArchivesTests {
  /// Groups with so much in them that a save appends what has changed.
  @Suite struct GroupJournalTests {
    private let place = CountedArchive()
    private var key: String { "FxGroup.session" }
    private var journal: Int? { place.memory.loadWithJournal(key)?.journal.count }

    private func group(sharing: Bool = true) -> ArchiveGroup {
      ArchiveGroup("session", in: place, sharing: sharing, scheduler: ManualArchiveScheduler())
    }

    private func settle(_ groups: ArchiveGroup...) {
      for _ in 0..<3 { for group in groups { group.settle() } }
    }

    @Test func `who writes and who listens read no more than what was appended`() {
      let (here, there) = (group(), group())
      let mine = Substance<Sheet>(name: "a", archive: true, in: here)
      let theirs = Substance<Sheet>(name: "a", archive: true, in: there)
      mine.change { $0.prop.name = "begun" }
      #expect(here.archiveNow())
      settle(here, there)
      let reads = place.reads.value
      for id in 0..<20 {
        mine.change {
          $0.prop.rows.append(Sheet.Row(id: 1_000 + id))
          $0.prop.rows[id: id]?.title = "changed"
        }
        mine.change { $0.prop.rows.move(id: id, to: 300) }
        #expect(here.archiveNow())
        settle(here, there)
        #expect(theirs.state.rows == mine.state.rows)
      }
      #expect(place.reads.value == reads)
      #expect((1_000..<20_000).contains(journal ?? 0))
      #expect(Substance<Sheet>(name: "a", archive: true, in: group()).state.rows == mine.state.rows)
      #expect(FaultLog.takeKinds() == [])
    }

    @Test func `two that change it by turns and at once end with both changes`() {
      let (here, there) = (group(), group())
      let mine = Substance<Sheet>(name: "a", archive: true, in: here)
      let theirs = Substance<Sheet>(name: "a", archive: true, in: there)
      mine.change { $0.prop.name = "begun" }
      #expect(here.archiveNow())
      settle(here, there)
      for id in 0..<5 {
        mine.change { $0.prop.rows.append(Sheet.Row(id: 1_000 + id)) }
        theirs.change { $0.prop.rows.append(Sheet.Row(id: 2_000 + id)) }
        mine.change { $0.prop.rows[id: id]?.title = "mine" }
        theirs.change { $0.prop.rows.remove(id: 100 + id) }
        #expect(here.archiveNow() && there.archiveNow())
        settle(here, there)
      }
      #expect(mine.state.rows.count == 600 + 5 + 5 - 5)
      #expect(mine.state.rows == theirs.state.rows)
      #expect(mine.state.rows.prefix(6).map(\.title).filter { $0 == "mine" }.count == 5)
      #expect(FaultLog.takeKinds() == [])
    }

    @Test func `who has no substance for a part keeps what others append to it`() {
      let (here, there) = (group(), group())
      let mine = Substance<Sheet>(name: "a", archive: true, in: here)
      mine.change { $0.prop.name = "begun" }
      #expect(here.archiveNow())
      let other = Substance<Tally>(name: "b", archive: true, in: there)
      settle(here, there)
      for id in 0..<3 {
        mine.change { $0.prop.rows[id: id]?.title = "changed" }
        #expect(here.archiveNow())
        settle(here, there)
      }
      let before = place.memory.load(key)
      // So much that the whole is saved.
      other.change { $0.prop.text = String(repeating: "x", count: 200_000) }
      #expect(there.archiveNow())
      #expect(place.memory.load(key) != before)
      #expect(journal == 0)
      let found = Substance<Sheet>(name: "a", archive: true, in: group())
      #expect(
        found.state.rows.prefix(4).map(\.title) == ["changed", "changed", "changed", "the title of a row"]
      )
      #expect(FaultLog.takeKinds() == [])
    }

    @Test func `what only a newer version knows of a row or of the whole stays`() {
      let (here, there) = (group(), group())
      let older = Substance<Sheet>(name: "a", archive: true, in: here)
      older.change { $0.prop.name = "begun" }
      #expect(here.archiveNow())
      let newer = Substance<NewerSheet>(name: "a", archive: true, in: there)
      settle(here, there)
      newer.change { $0.prop.rows[id: 7]?.note = "of a row" }
      #expect(there.archiveNow())
      settle(here, there)
      older.change { $0.prop.rows[id: 7]?.number = 7 }
      #expect(here.archiveNow())
      settle(here, there)
      newer.change { $0.prop.note = "of the whole" }
      #expect(there.archiveNow())
      settle(here, there)
      older.change { $0.prop.rows[id: 7]?.title = "seven" }
      #expect(here.archiveNow())
      settle(here, there)
      let row = newer.state.rows[id: 7]
      #expect(row?.note == "of a row" && row?.title == "seven" && row?.number == 7)
      #expect(newer.state.note == "of the whole")
      #expect(FaultLog.takeKinds() == [])
    }

    @Test func `bytes behind the last record are skipped, and the next save is the whole`() throws {
      let (here, there) = (group(), group())
      let mine = Substance<Sheet>(name: "a", archive: true, in: here)
      let theirs = Substance<Sheet>(name: "a", archive: true, in: there)
      let other = Substance<Tally>(name: "b", archive: true, in: there)
      mine.change { $0.prop.name = "begun" }
      #expect(here.archiveNow())
      mine.change { $0.prop.rows[id: 7]?.title = "seven" }
      #expect(here.archiveNow())
      settle(here, there)
      let (archive, known) = try #require(place.memory.loadWithJournal(key))
      #expect(place.append(Data([0, 0, 1]), toJournalOf: key, beginning: archive, length: known.count))
      settle(here, there)
      other.change { $0.prop.counter = 1 }
      #expect(there.archiveNow())
      #expect(journal == 0)
      theirs.change { $0.prop.rows[id: 8]?.title = "eight" }
      #expect(there.archiveNow())
      settle(here, there)
      #expect(mine.state.rows[7...8].map(\.title) == ["seven", "eight"])
      #expect(FaultLog.takeKinds() == [])
    }

    @Test func `parts may have keys that begin with an accent`() throws {
      let group = group(sharing: false)
      let sheet = Substance<Sheet>(name: "a", archive: true, in: group)
      #expect(sheet.archiveNow())
      let keys = ["\u{301}accent", "\u{338}", "+plus", ""]
      for key in keys { try group.save(Data(key.utf8), for: key) }
      try group.remove(keys[1])
      #expect(journal ?? 0 > 0)
      let again = self.group(sharing: false)
      for key in keys { #expect(try again.load(key) == (key == keys[1] ? nil : Data(key.utf8))) }
      _ = FaultLog.takeKinds()
    }

    @Test func `a state that orders its rows otherwise when it is read loses nothing`() {
      let (here, there) = (group(), group())
      let mine = Substance<SortedSheet>(name: "a", archive: true, in: here)
      mine.change { $0.prop.rows = Entities((0..<600).map { Sheet.Row(id: $0) }) }
      #expect(here.archiveNow())
      let theirs = Substance<SortedSheet>(name: "a", archive: true, in: there)
      mine.change { $0.prop.rows.insert(Sheet.Row(id: 9_999), at: 0) }
      #expect(here.archiveNow())
      settle(here, there)
      theirs.change { $0.prop.rows[id: 590]?.title = "theirs" }
      #expect(there.archiveNow())
      settle(here, there)
      theirs.change { $0.prop.rows.remove(id: 20) }
      #expect(there.archiveNow())
      settle(here, there)
      for found in [mine, theirs, Substance<SortedSheet>(name: "a", archive: true, in: group())] {
        #expect(found.state.rows.count == 600)
        #expect(found.state.rows[id: 590]?.title == "theirs" && found.state.rows[id: 20] == nil)
      }
      #expect(FaultLog.takeKinds() == [])
    }

    @Test func `an element that cannot be encoded here is no damage of what others write`() {
      let (here, there) = (group(), group())
      let mine = Substance<Sheet>(name: "a", archive: true, in: here)
      let theirs = Substance<Sheet>(name: "a", archive: true, in: there)
      mine.change { $0.prop.name = "begun" }
      #expect(here.archiveNow())
      settle(here, there)
      mine.change { $0.prop.rows[id: 7]?.number = .nan }
      for id in 0..<3 {
        theirs.change { $0.prop.rows[id: id]?.title = "theirs" }
        #expect(there.archiveNow())
        settle(here, there)
      }
      #expect(!here.archiveNow())
      #expect(FaultLog.takeKinds() == [.archiveNotSaved])
      mine.change { $0.prop.rows[id: 7]?.number = 7 }
      #expect(here.archiveNow())
      settle(here, there)
      #expect(mine.state.rows == theirs.state.rows && mine.state.rows[id: 7]?.number == 7)
      #expect(place.memory.keys(withPrefix: "").allSatisfy { !$0.contains("corrupt") })
      #expect(FaultLog.takeKinds() == [])
    }

    @Test(arguments: [true, false]) func `rows that go to another place are found there`(inGroup: Bool) {
      let place: any ArchiveBackend = inGroup ? group(sharing: false) : place
      let sheet = Substance<TwoPlaces>(name: "a", archive: true, in: place)
      #expect(sheet.archiveNow())
      sheet.change { ($0.prop.first, $0.prop.second) = (nil, $0.prop.first) }
      #expect(sheet.archiveNow())
      let again: any ArchiveBackend = inGroup ? group(sharing: false) : place
      let found = Substance<TwoPlaces>(name: "a", archive: true, in: again)
      #expect(found.state.first == nil && found.state.second?.count == 600)
      _ = FaultLog.takeKinds()
    }

    @Test func `a save that is awaited has what another thread is still to perform`() async {
      let group = group(sharing: false)
      let (sheet, other) = (Substance<Sheet>(name: "a", archive: true, in: group), Substance(0))
      let (isBusy, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread {
        other.change { _ in
          isBusy.signal()
          mayGoOn.wait()
        }
      }.start()
      await withCheckedContinuation { continuation in
        Thread {
          isBusy.wait()
          continuation.resume()
        }.start()
      }
      sheet.mix { $0.name = "waits" }
      #expect(sheet.state.name == "sheet")
      // The mix waits, and the mark that the save waits for.
      let isOver = Count()
      Thread {
        while other.flux.waitingCount < 2, isOver.value == 0 { sched_yield() }
        mayGoOn.signal()
      }.start()
      #expect(await group.archiveNow())
      isOver.add()
      let found = Substance<Sheet>(name: "a", archive: true, in: self.group(sharing: false))
      #expect(found.state.name == "waits")
      _ = FaultLog.takeKinds()
    }
  }
}
