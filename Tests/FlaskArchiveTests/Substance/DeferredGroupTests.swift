import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// Members of groups that are read after they have been made.
  @Suite struct DeferredGroupTests {
    private let slow = SlowArchive()
    private var probe: BackendProbe { slow.probe }

    /// Two members that an earlier run has saved.
    private func saveEarlier(_ clock: ManualArchiveScheduler) {
      let group = ArchiveGroup("session", in: probe, scheduler: clock)
      let earlier = ["first", "second"].map { Substance<Tally>(name: $0, archive: true, in: group) }
      for one in earlier { one.change { $0.prop.counter = 5 } }
      #expect(Self.archiveNow(group))
    }

    @Test func `a group is not saved without what one operation has changed in a member that is being read`()
      async
    {
      let clock = ManualArchiveScheduler()
      saveEarlier(clock)
      let group = ArchiveGroup("session", in: probe, scheduler: clock)
      let second = Substance<Tally>(name: "second", archive: true, in: group)
      let first = Migrated(name: "first", in: DeferredArchive(group))
      let (told, isTold) = (DispatchSemaphore(value: 0), Signal())
      let observation = second.observe(\.maybe) { _, _ in
        isTold.fire()
        told.wait()
      }
      Thread.detachNewThread {
        Flask.mix(first, second, isolation: nil) { ($0.maybe, $1.maybe) = (1, 1) }
      }
      await isTold.wait()
      first.gate.signal()
      // What was read waits for the end of this operation.
      #expect(!Self.archiveNow(group) && !group.purge())
      #expect(FaultLog.takeKinds() == [.archiveNotSaved, .archiveNotRemoved])
      let save = Task { await second.archiveNow() }
      told.signal()
      #expect(await save.value)
      observation.cancel()
      #expect(first.state.counter == 5 && first.state.maybe == 1)
      for key in ["Fx.1.first", "Fx.1.second"] {
        #expect(probe.part(key) == #"{"_hidden":0,"counter":5,"maybe":1,"text":""}"#)
      }
    }

    @Test func `an archive of its own gets into the group, also if the group is saved before it has come in`()
      async
    {
      let clock = ManualArchiveScheduler()
      do {
        let earlier = Substance<Tally>(name: "first", archive: true, in: probe)
        earlier.change { $0.prop.counter = 5 }
        #expect(await earlier.archiveNow())
      }
      let lock = Flask.lock()
      let group = ArchiveGroup("session", in: probe, scheduler: clock)
      let first = Substance<Tally>(name: "first", archive: true, in: DeferredArchive(group))
      // Read after the first.
      await Flux.$current.withValue(Flux()) {
        await Substance<Tally>(name: "third", archive: true, in: DeferredArchive(group)).opened()
      }
      group.pass(.seconds(2), clock)
      #expect(probe.counter("Fx.1.first") == nil)
      lock.release()
      await first.opened()
      group.pass(.seconds(2), clock)
      #expect(first.state.counter == 5 && probe.counter("Fx.1.first") == 5)
    }

    /// One whose migration waits.
    private final class Migrated: Substance<Tally>, @unchecked Sendable {
      let gate = DispatchSemaphore(value: 0)

      init(name: String, in place: any ArchiveBackend) { super.init(name: name, archive: true, in: place) }

      override func archiveVersion() -> Int { 1 }
      override func migrateArchive(from version: Int, _ archive: inout ArchiveValue) throws {
        gate.wait()
        gate.signal()
      }
    }

    @Test(arguments: [false, true])
    func `the members of a group are read later, alone or all, and their parts are not written over`(
      isAll: Bool
    )
      async
    {
      let clock = ManualArchiveScheduler()
      saveEarlier(clock)
      slow.open()
      let lock = Flask.lock()
      let group = ArchiveGroup("session", in: isAll ? DeferredArchive(slow) : slow, scheduler: clock)
      let place: any ArchiveBackend = isAll ? group : DeferredArchive(group)
      let first = Substance<Tally>(name: "first", archive: true, in: place)
      let third = await Flux.$current.withValue(Flux()) {
        let third = Substance<Tally>(name: "third", archive: true, in: place)
        await third.opened()
        third.change { $0.prop.counter = 3 }
        return third
      }
      #expect(first.state.counter == 0)
      // The third is saved while the first waits for the lock.
      #expect(third.state.counter == 3 && Self.archiveNow(group))
      #expect(["first", "second", "third"].map { probe.counter("Fx.1.\($0)") } == [5, 5, 3])
      let waiting = Task { await group.archiveNow() }
      lock.release()
      #expect(await waiting.value)
      #expect(first.state.counter == 5)
      first.change { $0.prop.counter = 6 }
      #expect(Self.archiveNow(group))
      #expect(["first", "second", "third"].map { probe.counter("Fx.1.\($0)") } == [6, 5, 3])
    }

    private static func archiveNow(_ group: ArchiveGroup) -> Bool { group.archiveNow() }
  }
}
