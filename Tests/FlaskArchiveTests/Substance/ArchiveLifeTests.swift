import FlaskPrimitives
import FlaskEntities
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// Two events in the life of a member that meet.
  @Suite struct ArchiveLifeTests {
    private let backend = BackendProbe()
    private let clock = ManualArchiveScheduler()
    private func group() -> ArchiveGroup { ArchiveGroup("session", in: backend, scheduler: clock) }

    /// A flush of this test's archives, without those of other tests that run at the same time.
    private func flush() -> Bool {
      let location = backend.location
      return Archivers.shared.flush { $0.backend.location == location }
    }

    private func text(_ counter: Int) -> String { #"{"_hidden":0,"counter":\#(counter),"text":""}"# }

    @Test func `a member that could not leave is still saved`() {
      let group = group()
      let bad = Substance<Refusing>(name: "bad", archive: true, in: group)
      let a = Substance<Tally>(name: "a", archive: true, in: group)
      a.change { $0.prop.counter = 1 }
      bad.mix { $0.number = 1 }
      #expect(!group.leave(a))
      #expect(FaultLog.takeKinds() == [.archiveNotSaved])
      bad.mix { $0.number = 0 }
      a.change { $0.prop.counter = 2 }
      #expect(a.archiveNow())
      #expect(backend.part("Fx.1.a") == text(2))
      #expect(backend.text("Fx.1.a") == nil)
    }

    @Test func `a mix during a leave is saved`() async {
      let group = group()
      let a = Substance<Tally>(name: "a", archive: true, in: group)
      a.change { $0.prop.counter = 1 }
      #expect(group.archiveNow())
      let gate = Gate()
      backend.hold(at: gate)
      async let hasLeft = OtherThread.run { group.leave(a) }
      await backend.saving.wait()
      a.change { $0.prop.counter = 2 }
      gate.open()
      #expect(await hasLeft)
      #expect(flush())
      #expect(backend.text("Fx.1.a") == text(2))
    }

    @Test func `a member that is released after a save that a sibling has stopped keeps its changes`() {
      let group = group()
      let bad = Substance<Refusing>(name: "bad", archive: true, in: group)
      var a: Substance<Tally>? = Substance<Tally>(name: "a", archive: true, in: group)
      a?.change { $0.prop.counter = 1 }
      bad.mix { $0.number = 1 }
      #expect(!group.archiveNow())
      a = nil
      group.archiver.waitForWork()
      _ = FaultLog.takeKinds()
      bad.mix { $0.number = 0 }
      #expect(group.archiveNow())
      #expect(backend.part("Fx.1.a") == text(1))
    }

    @Test func `a flush is false as long as a state is unsaved`() {
      let group = group()
      let bad = Substance<Refusing>(name: "bad", archive: true, in: group)
      bad.mix { $0.number = 1 }
      #expect(!group.archiveNow())
      #expect(!flush())
      #expect(!flush())
      #expect(!(Flask.flushArchives() as Bool))
      _ = FaultLog.takeKinds()
      bad.mix { $0.number = 0 }
      #expect(flush())
    }

    @Test func `the last save of a released substance is tried again`() {
      var vault: Vault<Tally>? = Vault<Tally>(in: backend, clock: clock)
      vault?.change { $0.prop.counter = 7 }
      backend.failSaving(true)
      vault = nil
      let slot = ArchiveSlot.of("Fx.1.vault", in: backend.location)
      slot.performAndWait {}
      #expect(backend.text() == nil)
      backend.failSaving(false)
      clock.advance(by: .seconds(12))
      slot.performAndWait {}
      #expect(backend.text() == text(7))
      // The faults are reported on a queue of their own.
      #expect(slot.decide { $0.members.isEmpty && $0.writers.isEmpty })
      while FaultLog.takeKinds() != [.archiveNotSaved] {}
    }

    @Test func `a last state that cannot be encoded is named as lost, and not kept`() {
      var bad: Vault<Refusing>? = Vault<Refusing>(in: backend, clock: clock)
      bad?.mix { $0.number = 1 }
      bad = nil
      let slot = ArchiveSlot.of("Fx.1.vault", in: backend.location)
      slot.performAndWait {}
      #expect(slot.decide { $0.members.isEmpty && $0.writers.isEmpty })
      var faults: [FlaskFault] = []
      while faults.count < 2 { faults += FaultLog.current.take() }
      #expect(faults.last?.message.contains("it is not tried again") == true)
    }

    @Test(arguments: [false, true]) func `a successor's first save is its state`(isChanged: Bool) {
      var old: Vault<Tally>? = Vault<Tally>(in: backend, clock: clock)
      old?.change { $0.prop.counter = 1 }
      #expect(old?.archiveNow() == true)
      old?.change { $0.prop.counter = 2 }
      let new = Vault<Tally>(in: backend, clock: clock)
      #expect(FaultLog.takeKinds() == [.archiveShared])
      if isChanged { new.change { $0.prop.text = "new" } }
      old = nil
      #expect(new.archiveNow())
      let state = new.state
      #expect(backend.text() == #"{"_hidden":0,"counter":\#(state.counter),"text":"\#(state.text)"}"#)
    }

    @Test func `a group takes over the newest state, and removes nothing newer`() {
      let old = Vault<Tally>("a", in: backend, clock: clock)
      old.change { $0.prop.counter = 1 }
      #expect(old.archiveNow())
      old.change { $0.prop.counter = 2 }
      let group = group()
      let a = Substance<Tally>(name: "a", archive: true, in: group)
      #expect(a.state.counter == 2)
      old.change { $0.prop.counter = 3 }
      #expect(old.archiveNow())
      #expect(group.archiveNow())
      ArchiveSlot.of("Fx.1.a", in: backend.location).performAndWait {}
      #expect(backend.text("Fx.1.a") == text(3))
    }

    @Test(arguments: [false, true]) func `a purge that has failed is not carried out later`(isGroup: Bool) {
      let disk = FailingArchive(removing: .system(call: "unlink", code: 5, path: "/x"))
      let group = ArchiveGroup("session", in: disk, scheduler: clock)
      let a = Substance<Tally>(name: "a", archive: true, in: group)
      let b = Substance<Tally>(name: "b", archive: true, in: group)
      a.change { $0.prop.counter = 1 }
      b.change { $0.prop.counter = 1 }
      #expect(group.archiveNow())
      if isGroup {
        #expect(!group.purge())
      } else {
        disk.setSaving(.system(call: "write", code: 5, path: "/x"))
        #expect(!a.purgeArchive())
        disk.setSaving(nil)
      }
      _ = FaultLog.takeKinds()
      b.change { $0.prop.counter = 2 }
      #expect(group.archiveNow())
      let next = ArchiveGroup("session", in: MemoryArchive(copying: disk), scheduler: clock)
      #expect(Substance<Tally>(name: "a", archive: true, in: next).state.counter == 1)
      #expect(Substance<Tally>(name: "b", archive: true, in: next).state.counter == 2)
    }

    @Test func `a purge of a group leaves the archive of a member that has left`() {
      var a: Substance<Tally>? = Substance<Tally>(name: "a", archive: true, in: backend)
      a?.change { $0.prop.counter = 1 }
      #expect(a?.archiveNow() == true)
      let group = group()
      #expect(a.map { group.join($0) && group.leave($0) } == true)
      a = nil
      #expect(group.purge())
      #expect(backend.text("Fx.1.a") == text(1))
    }

    @Test func `a released member whose elements cannot be encoded does not stop its group`() {
      struct Row: Codable, Identifiable, Sendable {
        var id = 0
        var isBroken = false

        enum CodingKeys: CodingKey { case id }

        func encode(to encoder: any Encoder) throws {
          if isBroken { throw Oops() }
          var container = encoder.container(keyedBy: CodingKeys.self)
          try container.encode(id, forKey: .id)
        }

        init(id: Int, isBroken: Bool) {
          self.id = id
          self.isBroken = isBroken
        }

        init(from decoder: any Decoder) throws {
          id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
        }
      }
      struct Shelf: FlaskState { var rows = Entities<Row>() }
      let group = group()
      var shelf: Substance<Shelf>? = Substance<Shelf>(name: "shelf", archive: true, in: group)
      let a = Substance<Tally>(name: "a", archive: true, in: group)
      shelf?.mix { $0.rows.append(Row(id: 1, isBroken: true)) }
      shelf = nil
      group.archiver.waitForWork()
      _ = FaultLog.takeKinds()
      a.change { $0.prop.counter = 1 }
      #expect(group.archiveNow())
      #expect(group.archiver.writer.decide { $0.members.count } == 1)
    }

    @Test func `what a sibling has stopped is saved once the sibling is switched off`() {
      let group = group()
      let a = Substance<Tally>(name: "a", archive: true, in: group)
      let bad = Substance<Refusing>(name: "bad", archive: true, in: group)
      a.change { $0.prop.counter = 1 }
      bad.mix { $0.number = 1 }
      group.pass(.seconds(60), clock)
      _ = FaultLog.takeKinds()
      bad.shouldArchive = false
      group.pass(.seconds(60), clock)
      #expect(backend.part("Fx.1.a") == text(1))
    }

    @Test func `a member whose part could not be read stays, and so does the part`() {
      do {
        let group = group()
        let a = Substance<Tally>(name: "a", archive: true, in: group)
        a.change { $0.prop.counter = 7 }
        #expect(group.archiveNow())
      }
      backend.failLoading(true)
      let group = group()
      let a = Substance<Tally>(name: "a", archive: true, in: group)
      backend.failLoading(false)
      #expect(!group.leave(a))
      _ = FaultLog.takeKinds()
      #expect(backend.counter("Fx.1.a") == 7)
    }

    @Test func `a purge that fails leaves the other owner its timer`() {
      let registry = Archivers()
      let disk = FailingArchive(removing: .system(call: "unlink", code: 5, path: "/x"))
      let a = Bench(disk, clock: clock, registry: registry)
      let b = Bench(disk, clock: clock, registry: registry)
      _ = a.archiver.load()
      _ = b.archiver.load()
      #expect(throws: ArchiveError.self) { try a.archiver.purge() }
      b.change(to: 5)
      clock.advance(by: .seconds(60))
      b.archiver.waitForWork()
      #expect(b.archived() == 5)
    }

    @Test func `a save after a purge saves`() {
      let group = group()
      let a = Substance<Tally>(name: "a", archive: true, in: group)
      a.change { $0.prop.counter = 1 }
      #expect(group.archiveNow() && group.purge())
      #expect(backend.part("Fx.1.a") == nil)
      #expect(a.archiveNow())
      #expect(backend.part("Fx.1.a") == text(1))
    }
  }
}

extension MemoryArchive {
  /// A copy of what is kept elsewhere.
  fileprivate init(copying place: FailingArchive) {
    self.init()
    for key in place.keys(withPrefix: "") { if let data = try? place.load(key) { save(data, for: key) } }
  }
}
