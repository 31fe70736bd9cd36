import Dispatch
import FlaskEntities
import Foundation
import Testing

@testable import FlaskArchive
@testable import FlaskCore
@testable import FlaskPrimitives
@testable import KernelFixtures

extension ArchivesTests {
  /// Substances that come and go while their group is saved: what they were mixed to is saved, and nothing that others
  /// wrote is lost by it.
  @Suite(.serialized) struct ArchiveHandoverTests {
    private let shared = SharedArchive()
    private let key = GroupArchiver.key(of: "session")

    private func last() -> Handed { Substance<Handed>(name: "a", archive: true, in: shared.group()).state }

    /// What another process has written, one after the other: the counter says which.
    private func archives(_ count: Int) throws -> [Data] {
      let elsewhere = SharedArchive()
      let writer = elsewhere.group()
      let theirs = Substance<Handed>(name: "a", archive: true, in: writer)
      return try (1...count).map { turn in
        theirs.mix { $0.counter = turn }
        #expect(writer.archiveNow())
        return try #require(elsewhere.backend.load(key))
      }
    }

    @Test(arguments: [false, true])
    func `a save that was asked for while a substance was read has its changes`(
      isReleased: Bool
    ) throws {
      shared.backend.save(try archives(1)[0], for: key)
      let here = shared.group()
      shared.settle(here)
      let (isMixed, isSaved) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let queue = here.archiver.writer
      Handed.whileReading.withLock {
        $0 = {
          // It has its turn before it is noted what the substance begins with.
          queue.slot.perform { isMixed.wait() }
          queue.save { _ in }
        }
      }
      var mine: Substance<Handed>? = Substance(name: "a", archive: true, in: here)
      mine?.mix { $0.text = "mine" }
      if isReleased { mine = nil }
      // It is the same save.
      queue.save { _ in isSaved.signal() }
      isMixed.signal()
      isSaved.wait()
      #expect(last() == Handed(counter: 1, text: "mine"))
      withExtendedLifetime(mine) {}
    }

    @Test func `a save that was asked for while a substance was read keeps what only others know`() throws {
      let elsewhere = SharedArchive()
      let writer = elsewhere.group()
      Substance<Wider>(name: "a", archive: true, in: writer).mix { $0.extra = "theirs" }
      #expect(writer.archiveNow())
      shared.backend.save(try #require(elsewhere.backend.load(key)), for: key)
      let here = shared.group()
      shared.settle(here)
      let isMixed = DispatchSemaphore(value: 0)
      let queue = here.archiver.writer
      Handed.whileReading.withLock {
        $0 = {
          queue.slot.perform { isMixed.wait() }
          queue.save { _ in }
        }
      }
      let mine = Substance<Handed>(name: "a", archive: true, in: here)
      mine.mix { $0.text = "mine" }
      isMixed.signal()
      shared.settle(here)
      let last = Substance<Wider>(name: "a", archive: true, in: shared.group()).state
      #expect(last.text == "mine" && last.extra == "theirs")
    }

    @Test(arguments: [false, true]) func `who changes and goes during a save is saved by the next`(
      sharing: Bool
    ) {
      let here = ArchiveGroup("session", in: shared.backend, sharing: sharing, scheduler: shared.clock)
      let slow = Substance<Held>(name: "slow", archive: true, in: here)
      var mine: Substance<Handed>? = Substance(name: "a", archive: true, in: here)
      mine?.mix { $0.counter = 1 }
      #expect(here.archiveNow())
      let (isEncoding, isGone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Held.whileEncoding.withLock {
        $0 = {
          isEncoding.signal()
          isGone.wait()
        }
      }
      slow.mix { $0.counter = 1 }
      here.archiver.writer.save { _ in }
      isEncoding.wait()
      mine?.mix { $0.counter = 2 }
      mine = nil
      isGone.signal()
      here.settle()
      #expect(here.archiver.contents.inside.withLock { $0.members.count } == 1)
      let last = ArchiveGroup("session", in: shared.backend, sharing: sharing, scheduler: shared.clock)
      #expect(Substance<Handed>(name: "a", archive: true, in: last).state.counter == 2)
      _ = FaultLog.takeKinds()
    }

    @Test(arguments: [false, true]) func `what one has left unsaved, and others wrote since, is in the next`(
      isOvertaken: Bool
    ) throws {
      let archives = try archives(2)
      let backend = shared.backend
      backend.save(archives[0], for: key)
      let here = shared.group()
      var mine: Substance<Handed>? = Substance(name: "a", archive: true, in: here)
      mine?.mix { $0.text = "mine" }
      backend.isFull = true
      mine = nil
      shared.settle(here)
      #expect(FaultLog.takeKinds() == [.archiveNotSaved])
      backend.isFull = false
      if isOvertaken {
        let (key, queue) = (key, here.archiver.writer)
        Handed.whileReading.withLock {
          $0 = {
            backend.save(archives[1], for: key)
            queue.save { _ in }
          }
        }
      }
      mine = Substance(name: "a", archive: true, in: here)
      #expect(mine?.state.text == "mine")
      shared.settle(here)
      #expect(here.archiveNow())
      #expect(last() == Handed(counter: isOvertaken ? 2 : 1, text: "mine"))
      mine?.mix { $0.counter = 9 }
      #expect(here.archiveNow())
      #expect(last() == Handed(counter: 9, text: "mine"))
    }

    @Test func `a member that can't be encoded keeps no other from being read`() throws {
      shared.backend.save(try archives(1)[0], for: key)
      let here = shared.group()
      let bad = Substance<Held>(name: "bad", archive: true, in: here)
      shared.settle(here)
      bad.mix { $0.isBad = true }
      let mine = Substance<Handed>(name: "a", archive: true, in: here)
      #expect(mine.state.counter == 1)
      #expect(FaultLog.takeKinds() == [])
      bad.mix { $0.isBad = false }
      mine.mix { $0.text = "mine" }
      #expect(here.archiveNow())
      #expect(last() == Handed(counter: 1, text: "mine"))
    }

    @Test func `an archive that was read is whole, even if the state can't be encoded then`() {
      let memory = MemoryArchive()
      do {
        let cards = Substance<Deck>(name: "deck", archive: true, in: memory)
        cards.mix { $0.cards.append(Deck.Card(id: 1)) }
        #expect(cards.archiveNow())
      }
      Deck.isBad.withLock { $0 = true }
      let cards = Substance<Deck>(name: "deck", archive: true, in: memory)
      #expect(cards.state.cards.map(\.id) == [1])
      #expect(FaultLog.takeKinds() == [])
      Deck.isBad.withLock { $0 = false }
      cards.mix { $0.cards.append(Deck.Card(id: 2)) }
      #expect(cards.archiveNow())
      #expect(Substance<Deck>(name: "deck", archive: true, in: memory).state.cards.map(\.id) == [1, 2])
      _ = FaultLog.takeKinds()
    }
  }
}

private struct CannotBeEncoded: Error {}

/// Has something done when it is read for the first time.
private struct Handed: FlaskState, Equatable {
  static let whileReading = Lock<(@Sendable () -> Void)?>(nil)

  var counter = 0
  var text = ""

  init() {}
  init(counter: Int, text: String) { (self.counter, self.text) = (counter, text) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    counter = try container.decode(Int.self, forKey: .counter)
    text = try container.decode(String.self, forKey: .text)
    Self.whileReading.withLock { $0.take() }?()
  }
}

/// The same with a property that only its process knows.
private struct Wider: FlaskState {
  var counter = 0
  var text = ""
  var extra = ""
}

/// Has something done when it is encoded for the first time, or can't be.
private struct Held: FlaskState {
  static let whileEncoding = Lock<(@Sendable () -> Void)?>(nil)

  var counter = 0
  var isBad = false

  init() {}

  func encode(to encoder: any Encoder) throws {
    Self.whileEncoding.withLock { $0.take() }?()
    if isBad { throw CannotBeEncoded() }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(counter, forKey: .counter)
    try container.encode(isBad, forKey: .isBad)
  }
}

private struct Deck: FlaskState {
  struct Card: Codable, Sendable, Identifiable { let id: Int }

  static let isBad = Lock(false)

  var cards: Entities<Card> = []

  init() {}

  func encode(to encoder: any Encoder) throws {
    if Self.isBad.withLock({ $0 }) { throw CannotBeEncoded() }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(cards, forKey: .cards)
  }
}
