import FlaskEntities
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures

extension ArchivesTests {
  /// Groups with so much in them that a save appends what has changed.
  @Suite struct GroupJournalTests {
    private let place = MemoryArchive()
    private var key: String { "FxGroup.session" }
    private var journal: Int? { place.loadWithJournal(key)?.journal.count }

    private func session() -> ArchiveGroup {
      ArchiveGroup("session", in: place, scheduler: ManualArchiveScheduler())
    }

    @Test func `a part without a substance keeps what was appended to it`() {
      do {
        let group = session()
        let sheet = Substance<Sheet>(name: "a", archive: true, in: group)
        #expect(group.archiveNow())
        for id in 0..<3 {
          sheet.change { $0.prop.rows[id: id]?.title = "changed" }
          #expect(group.archiveNow())
        }
        #expect(journal ?? 0 > 0)
      }
      let before = place.load(key)
      do {
        let group = session()
        let other = Substance<Tally>(name: "b", archive: true, in: group)
        // So much that the whole is saved.
        other.change { $0.prop.text = String(repeating: "x", count: 200_000) }
        #expect(group.archiveNow())
      }
      #expect(place.load(key) != before)
      #expect(journal == 0)
      let found = Substance<Sheet>(name: "a", archive: true, in: session())
      #expect(
        found.state.rows.prefix(4).map(\.title) == ["changed", "changed", "changed", "the title of a row"]
      )
      _ = FaultLog.takeKinds()
    }

    @Test func `bytes behind the last record are skipped, and the next save is the whole`() throws {
      do {
        let group = session()
        let sheet = Substance<Sheet>(name: "a", archive: true, in: group)
        #expect(group.archiveNow())
        sheet.change { $0.prop.rows[id: 7]?.title = "seven" }
        #expect(group.archiveNow())
      }
      let (archive, known) = try #require(place.loadWithJournal(key))
      #expect(place.append(Data([0, 0, 1]), toJournalOf: key, beginning: archive, length: known.count))
      let group = session()
      let sheet = Substance<Sheet>(name: "a", archive: true, in: group)
      #expect(sheet.state.rows[7...8].map(\.title) == ["seven", "the title of a row"])
      sheet.change { $0.prop.rows[id: 8]?.title = "eight" }
      #expect(group.archiveNow())
      #expect(journal == 0)
      let found = Substance<Sheet>(name: "a", archive: true, in: session())
      #expect(found.state.rows[7...8].map(\.title) == ["seven", "eight"])
      _ = FaultLog.takeKinds()
    }

    @Test func `parts may have keys that begin with an accent`() throws {
      let group = session()
      let sheet = Substance<Sheet>(name: "a", archive: true, in: group)
      #expect(sheet.archiveNow())
      let keys = ["\u{301}accent", "\u{338}", "+plus", ""]
      for key in keys { try group.save(Data(key.utf8), for: key) }
      try group.remove(keys[1])
      #expect(journal ?? 0 > 0)
      let again = session()
      for key in keys { #expect(try again.load(key) == (key == keys[1] ? nil : Data(key.utf8))) }
      _ = FaultLog.takeKinds()
    }

    @Test func `a state that orders its rows otherwise when it is read loses nothing`() {
      do {
        let group = session()
        let sheet = Substance<SortedSheet>(name: "a", archive: true, in: group)
        sheet.change { $0.prop.rows = Entities((0..<600).map { Sheet.Row(id: $0) }) }
        #expect(group.archiveNow())
        sheet.change { $0.prop.rows.insert(Sheet.Row(id: 9_999), at: 0) }
        #expect(group.archiveNow())
      }
      do {
        let group = session()
        let sheet = Substance<SortedSheet>(name: "a", archive: true, in: group)
        sheet.change { $0.prop.rows[id: 590]?.title = "later" }
        #expect(group.archiveNow())
        sheet.change { $0.prop.rows.remove(id: 20) }
        #expect(group.archiveNow())
      }
      let found = Substance<SortedSheet>(name: "a", archive: true, in: session())
      #expect(found.state.rows.count == 600)
      #expect(found.state.rows[id: 590]?.title == "later" && found.state.rows[id: 20] == nil)
      _ = FaultLog.takeKinds()
    }

    @Test(arguments: [true, false]) func `rows that go to another place are found there`(inGroup: Bool) {
      let place: any ArchiveBackend = inGroup ? session() : place
      let sheet = Substance<TwoPlaces>(name: "a", archive: true, in: place)
      #expect(sheet.archiveNow())
      sheet.change { ($0.prop.first, $0.prop.second) = (nil, $0.prop.first) }
      #expect(sheet.archiveNow())
      let again: any ArchiveBackend = inGroup ? session() : place
      let found = Substance<TwoPlaces>(name: "a", archive: true, in: again)
      #expect(found.state.first == nil && found.state.second?.count == 600)
      _ = FaultLog.takeKinds()
    }

    @Test func `a save that is awaited has what another thread is still to perform`() async {
      let group = session()
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
      let found = Substance<Sheet>(name: "a", archive: true, in: session())
      #expect(found.state.name == "waits")
      _ = FaultLog.takeKinds()
    }
  }
}
