import FlaskPrimitives
import Foundation
import Testing

@testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// Substances that go while other processes' states come in.
  @Suite struct ArchiveSharingLifetimeTests {
    private let shared = SharedArchive()

    @Test func `what waits for a substance that goes meanwhile comes in for the others`() async {
      let (here, there) = (shared.group(), shared.group())
      let kept = Substance<Tally>(name: "a", archive: true, in: here)
      var gone: Substance<Tally>? = Substance<Tally>(name: "b", archive: true, in: here)
      let theirs = ["a", "b"].map { Substance<Tally>(name: $0, archive: true, in: there) }
      for (place, substance) in theirs.enumerated() { substance.change { $0.prop.counter = 5 + place } }
      weak let address = gone
      let lock = kept.flux.lock()
      #expect(there.archiveNow())
      shared.settle(here, there)
      gone = nil
      #expect(address == nil)
      lock.release()
      _ = await kept.flux.performInFluxQueue {}.outcome
      #expect(kept.state.counter == 5)
      let again = Substance<Tally>(name: "b", archive: true, in: here)
      shared.settle(here, there)
      #expect(again.state.counter == 6)
    }

    @Test func `substances come and go while states come in`() async {
      let (here, there) = (shared.group(), shared.group())
      let theirs = Substance<Tally>(name: "a", archive: true, in: there)
      let isOver = Lock(false)
      let flux = Flux.current
      let changing = Thread {
        Flux.$current.withValue(flux) {
          while !isOver.withLock({ $0 }) {
            theirs.change { $0.prop.counter += 1 }
            _ = there.archiveNow()
          }
        }
      }
      changing.start()
      for _ in 0..<Proof.count(300, full: 30_000) {
        weak var gone: Substance<Tally>?
        do {
          let mine = Watched(Substance<Tally>(name: "a", archive: true, in: here))
          gone = mine.substance
          here.settle()
        }
        // What comes in holds it until all have been told; two of one key would be a fault.
        while gone != nil { await Task.yield() }
      }
      isOver.withLock { $0 = true }
      let last = Substance<Tally>(name: "a", archive: true, in: here)
      shared.settle(here, there)
      #expect(last.state.counter > 0)
    }
  }
}
