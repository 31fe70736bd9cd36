import Foundation
import Testing

@testable import FlaskArchive
@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures

/// Substances that are archived while values are derived from them.
@Suite(.ownFlux) struct ArchiveOfObservedTests {
  @Test func `a substance is archived, whatever followed from it before`() {
    let (backend, clock) = (MemoryArchive(), ManualArchiveScheduler())
    let group = ArchiveGroup("session", in: backend, scheduler: clock)
    let a = Substance<Tally>(name: "a", archive: true, in: group)
    group.archiveNow()
    do {
      let double = Derived { a.state.counter * 2 }
      let token = double.observe(isolation: nil) { _, _ in }
      #expect(double.value == 0)
      withExtendedLifetime(token) {}
    }
    a.mix { $0.counter = 1 }
    clock.advance(by: .seconds(60))
    group.archiver.waitForWork()
    a.mix { $0.counter = 2 }
    clock.advance(by: .seconds(60))
    group.archiver.waitForWork()
    let saved = Flux.$current.withValue(Flux()) {
      let copy = MemoryArchive()
      for key in backend.keys(withPrefix: "") { backend.load(key).map { copy.save($0, for: key) } }
      return Substance<Tally>(name: "a", archive: true, in: ArchiveGroup("session", in: copy)).counter
    }
    #expect(saved == 2)
  }
}
