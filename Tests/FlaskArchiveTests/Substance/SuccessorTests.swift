import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// A member of a group, or a group, that comes after one whose last save has failed.
  @Suite struct SuccessorTests {
    private let backend = BackendProbe()
    private let clock = ManualArchiveScheduler()
    private func group() -> ArchiveGroup { ArchiveGroup("session", in: backend, scheduler: clock) }

    private func text(_ counter: Int) -> String { #"{"_hidden":0,"counter":\#(counter),"text":""}"# }

    @Test func `a group that has ended with a failed save writes nothing over its successor`() {
      let store = SimulatedStore()
      let flux = Flux(expecting: .archiveNotSaved)
      Flux.$current.withValue(flux) {
        var first: ArchiveGroup? = ArchiveGroup("g", in: store, scheduler: clock)
        var p: Substance<Tally>? = Substance<Tally>(name: "a", archive: true, in: first)
        p?.change { $0.prop.counter = 1 }
        store.fail([.before, .before])
        p = nil
        first = nil
        let slot = ArchiveSlot.of("FxGroup.g", in: store.location)
        slot.performAndWait {}
        let second = ArchiveGroup("g", in: store, scheduler: clock)
        let s = Substance<Tally>(name: "a", archive: true, in: second)
        let b = Substance<Tally>(name: "b", archive: true, in: second)
        s.change { $0.prop.counter = 2 }
        b.change { $0.prop.counter = 5 }
        #expect(second.archiveNow())
        clock.advance(by: .seconds(12))
        slot.performAndWait {}
        let next = ArchiveGroup("g", in: SimulatedStore(store.bytes), scheduler: clock)
        #expect(Substance<Tally>(name: "a", archive: true, in: next).state.counter == 2)
        #expect(Substance<Tally>(name: "b", archive: true, in: next).state.counter == 5)
        second.archiver.waitForWork()
      }
    }

    @Test func `a last change that a group could not read is named as lost`() {
      var old: Vault<Tally>? = Vault<Tally>("a", in: backend, clock: clock)
      old?.change { $0.prop.counter = 1 }
      #expect(old?.archiveNow() == true)
      old?.change { $0.prop.counter = 2 }
      backend.failSaving(true)
      old = nil
      let group = group()
      let a = Substance<Tally>(name: "a", archive: true, in: group)
      #expect(a.state.counter == 1)
      group.archiver.waitForWork()
      let faults = FaultLog.current.take()
      #expect(faults.last?.message.contains("it is not tried again") == true)
      backend.failSaving(false)
      a.change { $0.prop.counter = 3 }
      #expect(group.archiveNow())
      clock.advance(by: .seconds(12))
      ArchiveSlot.of("Fx.1.a", in: backend.location).performAndWait {}
      #expect(backend.part("Fx.1.a") == text(3))
    }

    @Test func `a successor in a group continues from a state that a sibling has kept from the archive`() {
      let group = group()
      var p: Substance<Tally>? = Substance<Tally>(name: "a", archive: true, in: group)
      let bad = Substance<Refusing>(name: "bad", archive: true, in: group)
      p?.change { $0.prop.counter = 1 }
      bad.mix { $0.number = 1 }
      p = nil
      group.archiver.waitForWork()
      let s = Substance<Tally>(name: "a", archive: true, in: group)
      #expect(s.state.counter == 1)
      group.archiver.waitForWork()
      _ = FaultLog.takeKinds()
      bad.mix { $0.number = 0 }
      #expect(group.archiveNow())
      #expect(backend.part("Fx.1.a") == text(1))
    }
  }
}
