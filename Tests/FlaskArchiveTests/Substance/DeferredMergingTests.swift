import FlaskEntities
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures

extension ArchivesTests {
  /// What was read and what has been mixed meanwhile below one key.
  @Suite struct DeferredMergingTests {
    private let slow = SlowArchive()
    private var probe: BackendProbe { slow.probe }

    /// A state in which keys have keys below.
    private struct Deep: FlaskState, Equatable {
      struct Point: Codable, Equatable { var x = 0, y = 0 }
      struct Card: Codable, Equatable, Identifiable { var id: Int, text = "" }
      var point: Point? = Point()
      var counts = ["p": 0]
      var cards: Entities<Card> = []
      var list: [Int] = []
      var unsaved = 0
      enum CodingKeys: CodingKey { case point, counts, cards, list }
    }

    private func saveDeep() {
      let earlier = Vault<Deep>(in: probe)
      earlier.change {
        $0.prop.point = Deep.Point(x: 9, y: 10)
        $0.prop.counts = ["p": 1, "q": 2]
        $0.prop.cards = [Deep.Card(id: 1, text: "one"), Deep.Card(id: 2, text: "two")]
        $0.prop.list = [1]
      }
      Archivers.shared.flush()
      earlier.shouldArchive = false
    }

    @Test(arguments: [false, true])
    func `keys below optionals, entries and elements stay apart, also if it is mixed while they are merged`(
      isMixedAgain: Bool
    ) async {
      saveDeep()
      let vault = Vault<Deep>(in: DeferredArchive(slow))
      vault.change {
        $0.prop.point?.x = 1
        $0.prop.counts["p"] = 77
        $0.prop.cards.append(Deep.Card(id: 3, text: "three"))
        $0.prop.unsaved = 5
      }
      slow.open()
      var count = 0
      var last = FluxReceipt.aborted
      while isMixedAgain && vault.seatOrFault()?.opening != nil && count < 1_000_000 {
        count += 1
        last = vault.change { [count] in $0.prop.counts["r"] = count }
      }
      await vault.opened()
      _ = await last.outcome
      let state = vault.state
      #expect(state.point == Deep.Point(x: 1, y: 10) && state.unsaved == 5 && state.list == [1])
      #expect(state.counts == ["p": 77, "q": 2].merging(count > 0 ? ["r": count] : [:]) { $1 })
      #expect(state.cards.map(\.text) == ["one", "two", "three"])
      #expect(await vault.archiveNow())
      let saved = try? probe.text().map { try JSONDecoder().decode(Deep.self, from: Data($0.utf8)) }
      #expect(saved?.point == state.point && saved?.counts == state.counts && saved?.cards == state.cards)
    }

  }
}
