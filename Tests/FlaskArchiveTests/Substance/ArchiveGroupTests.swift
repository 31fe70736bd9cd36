import Foundation
import FlaskPrimitives
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// Substances that are saved together.
  @Suite struct ArchiveGroupTests {
    private let backend = BackendProbe()
    private let clock = ManualArchiveScheduler()

    private func group() -> ArchiveGroup { ArchiveGroup("session", in: backend, scheduler: clock) }

    @Test func `a group saves its substances in one write, and each finds its part again`() {
      do {
        let group = group()
        let first = Substance<Tally>(name: "first", archive: true, in: group)
        let second = Substance<Profile>(name: "second", archive: true, in: group)
        first.change { $0.prop.counter = 1 }
        second.change { $0.prop.info.nest.foo = "kept" }
        #expect(backend.saves == 0)
        group.pass(.seconds(2), clock)
        #expect(backend.saves == 1)
        #expect(backend.keys(withPrefix: "") == ["FxGroup.session"])
      }
      let group = group()
      #expect(Substance<Tally>(name: "first", archive: true, in: group).state.counter == 1)
      #expect(Substance<Profile>(name: "second", archive: true, in: group).state.info.nest.foo == "kept")
      #expect(group.archiveNow())
      #expect(backend.saves == 1)
    }

    @Test func `only parts that have changed are encoded again`() {
      let group = group()
      let first = Substance<Counted>(name: "first", archive: true, in: group)
      let second = Substance<Counted>(name: "second", archive: true, in: group)
      first.change { $0.prop.number = 1 }
      second.change { $0.prop.number = 1 }
      group.archiveNow()
      let before = Counted.encodings.value
      first.change { $0.prop.number = 2 }
      group.archiveNow()
      #expect(Counted.encodings.value == before + 1)
      group.archiveNow()
      #expect(Counted.encodings.value == before + 1)
      #expect(backend.part("Fx.1.first") == #"{"number":2}"#)
      #expect(backend.part("Fx.1.second") == #"{"number":1}"#)
    }

    @Test func `a part that cannot be used is quarantined, and the others are as they were`() {
      do {
        let group = group()
        let members = ["a", "b", "c"].map { Substance<Tally>(name: $0, archive: true, in: group) }
        for member in members { member.change { $0.prop.counter = 7 } }
        group.archiveNow()
      }
      backend.changeParts { $0["Fx.1.b"]?[40] ^= 1 }
      let group = group()
      let members = ["a", "b", "c"].map { Substance<Tally>(name: $0, archive: true, in: group) }
      #expect(FaultLog.takeKinds() == [.archiveCorrupt])
      #expect(members.map(\.state.counter) == [7, 0, 7])
      #expect(backend.keys(withPrefix: "") == ["Fx.1.b.corrupt-1", "FxGroup.session"])
      members[1].change { $0.prop.counter = 8 }
      #expect(group.archiveNow())
      #expect(backend.part("Fx.1.b") == #"{"_hidden":0,"counter":8,"text":""}"#)
    }

    @Test func `a group whose table is damaged is quarantined as a whole, which is one fault`() {
      backend.keep(Data("no group".utf8), "FxGroup.session")
      let group = group()
      let members = ["a", "b"].map { Substance<Tally>(name: $0, archive: true, in: group) }
      #expect(FaultLog.takeKinds() == [.archiveCorrupt])
      members[0].change { $0.prop.counter = 1 }
      #expect(group.archiveNow())
      #expect((try? backend.load("FxGroup.session.corrupt-1")) == Data("no group".utf8))
    }

    @Test func `a group that cannot be read now is not written over`() {
      do {
        let group = group()
        Substance<Tally>(name: "a", archive: true, in: group).change { $0.prop.counter = 7 }
      }
      Archivers.shared.flush()
      backend.failLoading(true)
      do {
        let group = group()
        let a = Substance<Tally>(name: "a", archive: true, in: group)
        #expect(FaultLog.takeKinds() == [.archiveUnreadable])
        a.change { $0.prop.counter = 1 }
        #expect(!group.archiveNow())
        #expect(FaultLog.takeKinds() == [.archiveNotSaved])
        // Once it can be read, the others are saved, and the part stays as it is.
        backend.failLoading(false)
        let b = Substance<Tally>(name: "b", archive: true, in: group)
        b.change { $0.prop.counter = 2 }
        #expect(b.archiveNow())
        #expect(!a.archiveNow())
        #expect(FaultLog.takeKinds() == [.archiveNotSaved])
      }
      let group = group()
      #expect(Substance<Tally>(name: "a", archive: true, in: group).state.counter == 7)
      #expect(Substance<Tally>(name: "b", archive: true, in: group).state.counter == 2)
    }

    @Test func `parts are migrated and supplied one by one`() {
      do {
        let group = group()
        Substance<Tally>(name: "a", archive: true, in: group).change { $0.prop.counter = 7 }
        Substance<Older>(name: "b", archive: true, in: group).change { $0.prop.info["nest"] = ["bar": "old"] }
        group.archiveNow()
      }
      let group = group()
      #expect(Substance<Tally>(name: "a", archive: true, in: group).state.counter == 7)
      #expect(Moved(name: "b", archive: true, in: group).state.info.nest.foo == "old")
    }

    @Test func `an archive of its own is taken over, and removed once the group is saved`() {
      do {
        let alone = Substance<Tally>(name: "a", archive: true, in: backend)
        alone.change { $0.prop.counter = 5 }
        alone.archiveNow()
      }
      let group = group()
      let a = Substance<Tally>(name: "a", archive: true, in: group)
      #expect(a.state.counter == 5)
      #expect(backend.keys(withPrefix: "") == ["Fx.1.a"])
      group.pass(.seconds(2), clock)
      a.waitForSlot("Fx.1.a", in: backend)
      #expect(backend.keys(withPrefix: "") == ["FxGroup.session"])
      #expect(backend.part("Fx.1.a") == #"{"_hidden":0,"counter":5,"text":""}"#)
    }

    @Test func `substances join and leave while they run`() {
      let group = group()
      let a = Substance<Tally>(name: "a", archive: true, in: backend)
      let b = Substance<Tally>(name: "b", archive: true, in: group)
      a.change { $0.prop.counter = 1 }
      #expect(group.join(a))
      #expect(group.archiveNow())
      a.waitForSlot("Fx.1.a", in: backend)
      #expect(backend.parts().keys.sorted() == ["Fx.1.a", "Fx.1.b"])
      a.change { $0.prop.counter = 2 }
      #expect(group.leave(a))
      #expect(backend.parts().keys.sorted() == ["Fx.1.b"])
      #expect(backend.text("Fx.1.a") == #"{"_hidden":0,"counter":2,"text":""}"#)
      a.change { $0.prop.counter = 3 }
      b.change { $0.prop.counter = 3 }
      #expect(a.archiveNow())
      #expect(group.archiveNow())
      #expect(backend.text("Fx.1.a") == #"{"_hidden":0,"counter":3,"text":""}"#)
      #expect(backend.parts().keys.sorted() == ["Fx.1.b"])
      #expect(group.leave(a))
    }

    @Test func `a member that goes with unsaved changes is saved, and its part stays`() {
      let group = group()
      do { Substance<Tally>(name: "a", archive: true, in: group).change { $0.prop.counter = 4 } }
      let again = Substance<Tally>(name: "a", archive: true, in: group)
      #expect(again.state.counter == 4)
      #expect(backend.part("Fx.1.a") == #"{"_hidden":0,"counter":4,"text":""}"#)
    }

    @Test func `a member and its state are released`() {
      let gone = Recorder<String>()
      let group = group()
      do {
        let a = Substance<Holder>(name: "a", archive: true, in: group)
        a.change { $0.prop.token = LastWords { gone.append("state") } }
        group.archiveNow()
      }
      group.archiveNow()
      #expect(gone.all == ["state"])
    }

    @Test func `a purged part comes back with the next change, and not before`() {
      let group = group()
      let a = Substance<Tally>(name: "a", archive: true, in: group)
      let b = Substance<Tally>(name: "b", archive: true, in: group)
      for member in [a, b] { member.change { $0.prop.counter = 1 } }
      group.archiveNow()
      #expect(a.purgeArchive())
      b.change { $0.prop.counter = 2 }
      group.archiveNow()
      #expect(backend.parts().keys.sorted() == ["Fx.1.b"])
      a.change { $0.prop.counter = 2 }
      group.archiveNow()
      #expect(backend.parts().keys.sorted() == ["Fx.1.a", "Fx.1.b"])
      #expect(group.purge())
      #expect(backend.keys(withPrefix: "") == [])
    }

    @Test func `two groups of one name, and two members of one name, are a fault that names both`() {
      let group = group()
      let second = self.group()
      #expect(FaultLog.takeKinds() == [.archiveShared])
      let a = Substance<Tally>(name: "a", archive: true, in: group)
      let b = Substance<Tally>(name: "a", archive: true, in: group)
      #expect(FaultLog.takeKinds() == [.archiveShared])
      b.change { $0.prop.counter = 2 }
      a.change { $0.prop.counter = 1 }
      #expect(group.archiveNow())
      #expect(backend.part("Fx.1.a") == #"{"_hidden":0,"counter":1,"text":""}"#)
      withExtendedLifetime(second) {}
    }

    @Test func `a state that cannot be encoded keeps the whole group from being saved`() {
      let group = group()
      let a = Substance<Tally>(name: "a", archive: true, in: group)
      let b = Substance<Refusing>(name: "b", archive: true, in: group)
      a.change { $0.prop.counter = 1 }
      b.change { $0.prop.number = 1 }
      #expect(!group.archiveNow())
      #expect(FaultLog.current.take().first?.message.contains("the part \"Fx.1.b\" of b") == true)
      #expect(backend.saves == 0)
      b.change { $0.prop.number = 0 }
      #expect(group.archiveNow())
    }

    @Test func `a substance turned off keeps the part that it has`() {
      let group = group()
      let a = Substance<Tally>(name: "a", archive: true, in: group)
      let b = Substance<Tally>(name: "b", archive: true, in: group)
      a.change { $0.prop.counter = 1 }
      group.archiveNow()
      a.shouldArchive = false
      a.change { $0.prop.counter = 2 }
      b.change { $0.prop.counter = 2 }
      #expect(group.archiveNow())
      #expect(backend.part("Fx.1.a") == #"{"_hidden":0,"counter":1,"text":""}"#)
    }

    /// What one operation changes in two members is in each archive as a whole, and of two operations the second never
    /// without the first, however fast they come.
    @Test func `each save has all members of one moment`() async {
      let group = group()
      // Many between those that are looked at, so that looking at all takes a while.
      let last = 60
      let members = (0...last).map { Substance<Tally>(name: "\($0)", archive: true, in: group) }
      let owner = Owner()
      let reactor = Flask.reactor(attachedTo: owner, mixing: members)
      let isOver = Recorder<Bool>()
      async let mixing: Void = OtherThread.run {
        var turn = 0
        while isOver.all.isEmpty {
          turn += 1
          let now = turn
          reactor.mixing(members[0]) { $0.prop.counter -= now }
            .with(members[last]) { $0.prop.counter += now }
            .andReact(isolation: nil)
          reactor.mix(members[last - 1]) { $0.prop.counter = now }.react(isolation: nil)
          reactor.mix(members[1]) { $0.prop.counter = now }.react(isolation: nil)
        }
      }
      var turns: Set<Int> = []
      for _ in 0..<Workload.count(300, full: 2_000) {
        #expect(await group.archiveNow())
        let counts = [0, last, last - 1, 1].compactMap { backend.counter("Fx.1.\($0)") }
        guard counts.count == 4 else { continue }
        turns.insert(counts[3])
        #expect(counts[0] + counts[1] == 0)
        #expect(counts[2] == counts[3] || counts[2] == counts[3] + 1)
      }
      #expect(turns.count > 10)
      isOver.append(true)
      await mixing
    }

    @Test func `a group that cannot be read is saved again once it is purged`() {
      backend.failLoading(true)
      let group = group()
      let a = Substance<Tally>(name: "a", archive: true, in: group)
      #expect(FaultLog.takeKinds() == [.archiveUnreadable])
      a.change { $0.prop.counter = 1 }
      #expect(!group.archiveNow())
      #expect(FaultLog.takeKinds() == [.archiveNotSaved])
      #expect(group.purge())
      a.change { $0.prop.counter = 2 }
      #expect(group.archiveNow())
      backend.failLoading(false)
      #expect(backend.part("Fx.1.a") == #"{"_hidden":0,"counter":2,"text":""}"#)
    }
  }
}
