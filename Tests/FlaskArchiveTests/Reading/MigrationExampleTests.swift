import FlaskCore
import FlaskArchive
import Testing

@Suite struct MigrationExampleTests {
  struct Item: Codable, Equatable, Sendable {
    var title = ""
    var done = true
  }

  struct OldState: Codable, Sendable {
    var name = "list"
    var items = [["title": "milk"]]
  }

  struct AppState: Codable, Equatable, Sendable {
    var title = ""
    var items: [Item] = []
  }

  @Test func `The documented migration migrates`() throws {
    let archive = try ArchiveShape(initial: OldState()).encode(OldState(), for: "app")
    let shape = ArchiveShape(version: 2, initial: AppState()) { version, archive in
      if version == 0 { archive.rename("name", to: "title") }
      if version == 1 { archive["items"]?.changeEach { item in item["done"] = false } }
    }
    let state = try shape.decode(archive, for: "app").state
    #expect(state == AppState(title: "list", items: [Item(title: "milk", done: false)]))
  }
}
