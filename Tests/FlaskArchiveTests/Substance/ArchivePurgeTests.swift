import Foundation
import Testing

@testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures

extension ArchivesTests {
  /// What is taken out of a group, and what stays in it.
  @Suite struct ArchivePurgeTests {
    private let shared = SharedArchive()

    @Test func `a purged part is absent for all, and comes back with the next change`() throws {
      let (here, there) = (shared.group(), shared.group())
      let a = Substance<Tally>(name: "a", archive: true, in: here)
      let b = Substance<Tally>(name: "b", archive: true, in: there)
      for member in [a, b] { member.change { $0.prop.counter = 1 } }
      #expect(here.archiveNow())
      #expect(there.archiveNow())
      shared.settle(here, there)
      let parts = { [backend = shared.backend] in
        let data = backend.load("FxGroup.session") ?? Data()
        return try GroupFormat.unwrap(data, name: "session").keys.sorted()
      }
      #expect(try parts() == ["Fx.1.a", "Fx.1.b"])
      #expect(a.purgeArchive())
      shared.settle(here, there)
      #expect(try parts() == ["Fx.1.b"])
      b.change { $0.prop.counter = 2 }
      #expect(there.archiveNow())
      shared.settle(here, there)
      #expect(try parts() == ["Fx.1.b"])
      a.change { $0.prop.counter = 2 }
      #expect(here.archiveNow())
      shared.settle(here, there)
      #expect(try parts() == ["Fx.1.a", "Fx.1.b"])
      #expect(a.state.counter == 2)
    }

    @Test func `what changes before its part could be purged is saved, and merged with others from then on`()
    {
      let (here, there) = (shared.group(), shared.group())
      let mine = Substance<Tally>(name: "a", archive: true, in: here)
      mine.change { $0.prop.counter = 1 }
      #expect(here.archiveNow())
      shared.backend.isFull = true
      #expect(!mine.purgeArchive())
      shared.backend.isFull = false
      #expect(FaultLog.takeKinds() == [.archiveNotSaved])
      mine.change { $0.prop.counter = 2 }
      #expect(here.archiveNow())
      let theirs = Substance<Tally>(name: "a", archive: true, in: there)
      #expect(theirs.state.counter == 2)
      theirs.change { $0.prop.text = "theirs" }
      #expect(there.archiveNow())
      mine.change { $0.prop.counter = 3 }
      #expect(here.archiveNow())
      shared.settle(here, there)
      #expect(mine.state.text == "theirs")
      #expect(theirs.state.counter == 3)
    }

    @Test func `a purged group leaves nothing that an earlier process took over and did not remove`() throws {
      let memory = MemoryArchive()
      func tally(in place: any ArchiveBackend) -> Substance<Tally> {
        Substance(name: "a", archive: true, in: place)
      }
      Flux.$current.withValue(Flux()) {
        let alone = tally(in: memory)
        alone.mix { $0.counter = 1 }
        #expect(alone.archiveNow())
        alone.shouldArchive = false
      }
      let leftover = try #require(memory.load("Fx.1.a"))
      Flux.$current.withValue(Flux()) {
        let group = ArchiveGroup("g", in: memory)
        let member = tally(in: group)
        #expect(member.counter == 1 && group.archiveNow())
        member.shouldArchive = false
      }
      // The process ended before it was removed.
      memory.save(leftover, for: "Fx.1.a")
      Flux.$current.withValue(Flux()) {
        let group = ArchiveGroup("g", in: memory)
        #expect(group.purge())
        #expect(tally(in: group).counter == 0)
        #expect(memory.load("Fx.1.a") == nil)
      }
    }
  }
}
