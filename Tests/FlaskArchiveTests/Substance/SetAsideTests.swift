import FlaskEntities
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures

extension ArchivesTests {
  /// Archives that one version of the app could not use, and a later one can.
  @Suite struct SetAsideTests {
    private struct Old: FlaskState {
      struct Line: Codable, Sendable { var text = "" }
      var lines: [Line] = []
    }

    private struct Broken: FlaskState {
      struct Line: Codable, Sendable { var text: String, mark: Int }
      var lines: [Line] = []
    }

    private struct Mended: FlaskState {
      struct Line: FlaskState { var text = "", mark = 7 }
      var lines: [Line] = []
    }

    private final class Migrated: Substance<Broken>, @unchecked Sendable {
      override func archiveVersion() -> Int { 1 }
      override func migrateArchive(from version: Int, _ archive: inout ArchiveValue) throws {
        archive["lines"]?.changeEach { $0["mark"] = 9 }
      }
    }

    private let place = MemoryArchive()

    private func prepare(in place: any ArchiveBackend) {
      let old = Substance<Old>(name: "notes", archive: true, in: place)
      old.change { $0.prop.lines = [Old.Line(text: "milk")] }
      #expect(old.archiveNow())
      old.name(as: "older")
    }

    @Test(arguments: [false, true]) func `is notified with the type, the key and what to do`(isGrouped: Bool)
    {
      prepare(in: place)
      let place: any ArchiveBackend = isGrouped ? ArchiveGroup("all", in: place) : place
      let broken = Substance<Broken>(name: "notes", archive: true, in: place)
      #expect(broken.state.lines.isEmpty)
      let faults = FaultLog.current.take()
      #expect(faults.map(\.kind) == [.archiveCorrupt])
      #expect(faults[0].message.contains("lines.Index 0.mark: it is missing"))
      #expect(faults[0].message.contains("let Line be a FlaskState"))
      #expect(faults[0].message.contains("by the migration"))
    }

    /// The place as a version has left it that could not use what was there.
    private func setAside(isGrouped: Bool) -> any ArchiveBackend {
      let next: () -> any ArchiveBackend = { isGrouped ? ArchiveGroup("all", in: place) : place }
      prepare(in: next())
      do {
        let broken = next()
        #expect(Substance<Broken>(name: "notes", archive: true, in: broken).state.lines.isEmpty)
        #expect(FaultLog.takeKinds() == [.archiveCorrupt])
        if let group = broken as? ArchiveGroup { #expect(group.archiveNow()) }
      }
      return next()
    }

    @Test(arguments: [false, true]) func `comes back with a migration`(isGrouped: Bool) {
      let place = setAside(isGrouped: isGrouped)
      let migrated = Migrated(name: "notes", archive: true, in: place)
      #expect(migrated.state.lines.map(\.mark) == [9])
      #expect(FaultLog.takeKinds() == [])
    }

    @Test(arguments: [false, true]) func `comes back with an initial value`(isGrouped: Bool) {
      let place = setAside(isGrouped: isGrouped)
      let mended = Substance<Mended>(name: "notes", archive: true, in: place)
      #expect(mended.state.lines.map(\.mark) == [7])
      #expect(mended.state.lines.map(\.text) == ["milk"])
      mended.change { $0.prop.lines = [Mended.Line(text: "milk", mark: 8)] }
      #expect(mended.archiveNow())
      #expect(self.place.load("Fx.1.notes.corrupt-1") != nil)
      mended.name(as: "other")
      let next = Substance<Mended>(name: "notes", archive: true, in: place)
      #expect(next.state.lines.map(\.mark) == [8])
      #expect(next.purgeArchive())
      #expect(self.place.load("Fx.1.notes.corrupt-1") == nil)
      withExtendedLifetime(mended) {}
    }

    @Test func `is removed with the group`() {
      let group = ArchiveGroup("all", in: place)
      prepare(in: group)
      let broken = Substance<Broken>(name: "notes", archive: true, in: group)
      #expect(FaultLog.takeKinds() == [.archiveCorrupt])
      #expect(group.leave(broken))
      #expect(place.load("Fx.1.notes.corrupt-1") != nil)
      #expect(group.join(broken))
      #expect(group.purge())
      // The archive that it had for itself is removed after what its owner had to save there.
      ArchiveSlot.of("Fx.1.notes", in: place.location).performAndWait {}
      #expect(place.keys(withPrefix: "Fx.1.notes") == [])
    }

    @Test func `is read with its journal`() {
      struct Long: FlaskState {
        struct Line: FlaskState, Identifiable { var id = 0, text = String(repeating: "x", count: 400) }
        var lines = Entities<Line>()
      }
      struct Longer: FlaskState {
        struct Line: Codable, Sendable, Identifiable { var id: Int, text: String, mark: Int }
        var lines = Entities<Line>()
      }
      let long = Substance<Long>(name: "notes", archive: true, in: place)
      long.change { $0.prop.lines = Entities((0..<100).map { Long.Line(id: $0) }) }
      #expect(long.archiveNow())
      long.change { $0.prop.lines[id: 5]?.text = "journaled" }
      #expect(long.archiveNow())
      #expect(place.loadWithJournal("Fx.1.notes")?.journal.isEmpty == false)
      long.name(as: "older")
      let longer = Substance<Longer>(name: "notes", archive: true, in: place)
      #expect(FaultLog.takeKinds() == [.archiveCorrupt])
      longer.name(as: "other")
      let again = Substance<Long>(name: "notes", archive: true, in: place)
      #expect(again.state.lines.count == 100)
      #expect(again.state.lines[id: 5]?.text == "journaled")
    }
  }
}
