import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension ArchivesTests {
  /// Mixes that are taken back before the archived state arrives.
  @Suite struct TakenBackTests {
    private let slow = SlowArchive()

    @Test(arguments: ["assign", "remove", "removeAll"])
    func `a collection that was mixed and set back was never mixed`(by way: String) async {
      struct Shelf: FlaskState {
        var books: [String] = []
        var title = "untitled"
        var count = 0
      }
      let earlier = Vault<Shelf>(in: slow.probe)
      earlier.change {
        $0.prop.books = ["a", "b"]
        $0.prop.title = "my novel"
        $0.prop.count = 5
      }
      #expect(await earlier.archiveNow())
      earlier.shouldArchive = false
      let vault = Vault<Shelf>(in: DeferredArchive(slow))
      vault.change {
        $0.prop.books = ["x"]
        $0.prop.title = "draft"
        $0.prop.count = 1
      }
      vault.change {
        switch way {
        case "assign": $0.prop.books = []
        case "remove": $0.prop.books.remove(at: 0)
        default: $0.prop.books.removeAll()
        }
        $0.prop.title = "untitled"
        $0.prop.count = 0
      }
      slow.open()
      await vault.opened()
      #expect(vault.state.books == ["a", "b"] && vault.state.title == "my novel" && vault.state.count == 5)
    }

    @Test func `a rollback to a placeholder is one to what was read`() async {
      slow.saveEarlier()
      let vault = slow.vault()
      vault.captureState()
      vault.change { $0.prop.text = "mine" }
      slow.open()
      await vault.opened()
      #expect(vault.state.text == "mine" && vault.state.counter == 5)
      vault.rollbackState()
      #expect(vault.state.text == "kept" && vault.state.counter == 5)
      vault.commitState()
    }
  }
}
