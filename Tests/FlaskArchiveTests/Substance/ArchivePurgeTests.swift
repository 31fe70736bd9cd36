import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures

extension ArchivesTests {
  /// What is taken out of a group, and what stays in it.
  @Suite struct ArchivePurgeTests {
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
