import Dispatch
import FlaskEntities
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import FlaskPrimitives
@testable import KernelFixtures

extension ArchivesTests {
  /// Substances that come and go while their group is saved: what they were mixed to is saved.
  @Suite(.serialized) struct ArchiveHandoverTests {
    private let backend = BackendProbe()

    private func group() -> ArchiveGroup {
      ArchiveGroup("session", in: backend, scheduler: ManualArchiveScheduler())
    }

    @Test func `who changes and goes during a save is saved by the next`() {
      let here = group()
      let slow = Substance<Held>(name: "slow", archive: true, in: here)
      var mine: Substance<Tally>? = Substance(name: "a", archive: true, in: here)
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
      here.archiver.waitForWork()
      #expect(here.archiver.contents.inside.withLock { $0.members.count } == 1)
      #expect(Substance<Tally>(name: "a", archive: true, in: group()).state.counter == 2)
      _ = FaultLog.takeKinds()
    }

    @Test func `a member that can't be encoded keeps no other from being read`() {
      Flux.$current.withValue(Flux()) {
        let earlier = group()
        let theirs = Substance<Tally>(name: "a", archive: true, in: earlier)
        theirs.mix { $0.counter = 1 }
        #expect(earlier.archiveNow())
      }
      let here = group()
      let bad = Substance<Held>(name: "bad", archive: true, in: here)
      bad.mix { $0.isBad = true }
      let mine = Substance<Tally>(name: "a", archive: true, in: here)
      #expect(mine.state.counter == 1)
      #expect(FaultLog.takeKinds() == [])
      bad.mix { $0.isBad = false }
      mine.mix { $0.text = "mine" }
      #expect(here.archiveNow())
      let last = Substance<Tally>(name: "a", archive: true, in: group())
      #expect(last.state.counter == 1 && last.state.text == "mine")
      _ = FaultLog.takeKinds()
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
