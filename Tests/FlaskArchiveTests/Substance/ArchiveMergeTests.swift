import Foundation
import Testing

@testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures

/// A state of which not every mixture of keys is one.
private struct Switched: FlaskState {
  enum Mode: Codable, Equatable {
    case off
    case slow(Int)
    case fast(Int)
  }

  var mode = Mode.off
  var text = ""

  init() {}
}

extension ArchivesTests {
  /// What is made of changes here and elsewhere.
  @Suite struct ArchiveMergeTests {
    private let shared = SharedArchive()

    @Test func `if a mixture of all keys is no state, only the outermost keys are mixed`() {
      let (here, there) = (shared.group(), shared.group())
      let mine = Substance<Switched>(name: "a", archive: true, in: here)
      let theirs = Substance<Switched>(name: "a", archive: true, in: there)
      mine.change { $0.prop.text = "base" }
      #expect(here.archiveNow())
      shared.settle(here, there)
      theirs.change {
        $0.prop.mode = .fast(2)
        $0.prop.text = "theirs"
      }
      mine.change { $0.prop.mode = .slow(1) }
      #expect(there.archiveNow())
      #expect(here.archiveNow())
      shared.settle(here, there)
      for state in [mine.state, theirs.state] {
        #expect(state.mode == .slow(1))
        #expect(state.text == "theirs")
      }
    }

    @Test func `what others write later is not written over with what was read before`() {
      let (here, there) = (shared.group(), shared.group())
      let a = Substance<Tally>(name: "a", archive: true, in: here)
      let b = Substance<Tally>(name: "b", archive: true, in: there)
      for number in 1...3 {
        b.change { $0.prop.counter = number }
        #expect(there.archiveNow())
        shared.settle(here, there)
      }
      a.change { $0.prop.counter = 10 }
      #expect(here.archiveNow())
      let last = shared.group()
      #expect(Substance<Tally>(name: "a", archive: true, in: last).state.counter == 10)
      #expect(Substance<Tally>(name: "b", archive: true, in: last).state.counter == 3)
    }
  }
}
