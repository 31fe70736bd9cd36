import Dispatch
import Testing

@testable import FlaskArchive
@testable import FlaskCore
@testable import FlaskPrimitives
@testable import KernelFixtures

extension ArchivesTests {
  /// What other processes write to a group while a substance of it is being read.
  @Suite(.serialized) struct ArchiveOvertakenTests {
    @Test func `what another writes while a substance is being read comes in after it`() throws {
      let (shared, elsewhere) = (SharedArchive(), SharedArchive())
      let key = GroupArchiver.key(of: "session")
      let writer = elsewhere.group()
      let theirs = Substance<Overtaken>(name: "a", archive: true, in: writer)
      let archives = try (1...2).map { turn in
        theirs.change { $0.prop.counter = turn }
        #expect(writer.archiveNow())
        return try #require(elsewhere.backend.load(key))
      }
      shared.backend.save(archives[0], for: key)
      let here = shared.group()
      shared.settle(here)
      let backend = shared.backend
      Overtaken.whileReading.withLock { $0 = { backend.save(archives[1], for: key) } }
      let mine = Substance<Overtaken>(name: "a", archive: true, in: here)
      shared.settle(here)
      #expect(mine.state.counter == 2)
      mine.change { $0.prop.text = "mine" }
      #expect(here.archiveNow())
      let last = Substance<Overtaken>(name: "a", archive: true, in: shared.group()).state
      #expect(last.counter == 2)
      #expect(last.text == "mine")
    }

    @Test
    func `a save that was asked for while a substance was read writes nothing of it over what others wrote`()
      throws
    {
      let (shared, elsewhere) = (SharedArchive(), SharedArchive())
      let key = GroupArchiver.key(of: "session")
      let writer = elsewhere.group()
      let theirs = Substance<Overtaken>(name: "a", archive: true, in: writer)
      let archives = try (1...2).map { turn in
        theirs.change { $0.prop.counter = turn }
        #expect(writer.archiveNow())
        return try #require(elsewhere.backend.load(key))
      }
      shared.backend.save(archives[0], for: key)
      let here = shared.group()
      shared.settle(here)
      let backend = shared.backend
      let isMixed = DispatchSemaphore(value: 0)
      let queue = here.archiver.writer
      Overtaken.whileReading.withLock {
        $0 = {
          backend.save(archives[1], for: key)
          // It has its turn before it is noted what the substance begins with.
          queue.slot.perform { isMixed.wait() }
          queue.save { _ in }
        }
      }
      let mine = Substance<Overtaken>(name: "a", archive: true, in: here)
      mine.change { $0.prop.text = "mine" }
      isMixed.signal()
      shared.settle(here)
      #expect(mine.state.counter == 2)
      #expect(here.archiveNow())
      let last = Substance<Overtaken>(name: "a", archive: true, in: shared.group()).state
      #expect(last.counter == 2)
      #expect(last.text == "mine")
    }
  }
}

/// Has something done when it is read for the first time.
private struct Overtaken: FlaskState {
  static let whileReading = Lock<(@Sendable () -> Void)?>(nil)

  var counter = 0
  var text = ""

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    counter = try container.decode(Int.self, forKey: .counter)
    text = try container.decode(String.self, forKey: .text)
    Self.whileReading.withLock { $0.take() }?()
  }
}
