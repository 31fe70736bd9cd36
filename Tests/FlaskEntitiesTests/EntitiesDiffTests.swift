import FlaskDiff
import FlaskEntities
import Testing
import TestSupport

@Suite struct EntitiesDiffTests {
  struct Board {
    var name = "board"
    var rows: Entities<ListRow> = []
    var spare: Entities<ListRow>?
  }

  private func board(_ count: Int) -> Board {
    var board = Board()
    for id in 0..<count { board.rows.append(ListRow(id: id, title: "row \(id)")) }
    return board
  }

  @Test func `Keys of elements are their identities`() {
    let old = board(1000)
    var new = old
    new.rows[id: 7]?.title = "changed"
    let changes = StateDiff.changes(from: old, to: new)
    #expect(changes.keys == ["rows", "rows.7", "rows.7.title"])
    #expect(changes.contains("rows.7.title") && changes.contains("rows.7") && changes.contains("rows"))
    #expect(!changes.contains("rows.8") && !changes.contains("rows.7.id") && !changes.contains("rows.2000"))
    #expect(changes.newValue("rows.7.title") == "changed")
    #expect(changes.oldValue("rows.7.title") == "row 7")
    #expect(changes.newValue("rows.07.title") as String? == nil)
    #expect(changes.description == "- rows.7.title: \"row 7\"\n+ rows.7.title: \"changed\"")
  }

  @Test func `Elements that come and go are keys that appear and disappear`() {
    let old = board(100)
    var new = old
    new.rows.remove(id: 50)
    new.rows.insert(ListRow(id: 500, title: "new"), at: 3)
    new.rows[id: 99]?.title = "last"
    #expect(
      StateDiff.changes(from: old, to: new).keys == [
        "rows", "rows.500", "rows.500.id", "rows.500.title", "rows.99", "rows.99.title", "rows.50",
        "rows.50.id", "rows.50.title",
      ]
    )
  }

  @Test func `A key of an element that can't exist is known as such`() {
    enum Size: Int { case small = 1 }
    struct Sized: Identifiable { let id: Size; var title = "" }
    struct Named: Identifiable { let id: String; var title = "" }
    struct Lists {
      var rows: Entities<ListRow> = []
      var sizes: Entities<Sized>?
      var names: Entities<Named> = []
    }
    let layout = StateLayout.of(Lists.self)
    for path in ["rows.7", "rows.-7", "rows.7.title", "sizes.1.title", "names.a", "names.a.titel"] {
      #expect(layout.lookup(path) != .unknown, "\(path)")
    }
    for path in ["rows.7.titel", "rows.7.title.x", "rows.07", "rows.x", "rows.", "sizes.2", "sizes.1.titel"] {
      #expect(layout.lookup(path) == .unknown, "\(path)")
    }
  }

  @Test func `A move changes the order and no element`() {
    let old = board(100)
    var new = old
    new.rows.move(id: 3, to: 90)
    #expect(StateDiff.changes(from: old, to: new).keys == ["rows"])
    new.rows.move(id: 3, to: 3)
    #expect(StateDiff.changes(from: old, to: new).isEmpty)
  }

  @Test func `Equal content is no difference and neither is NaN`() {
    struct Measure: Identifiable, HidesUnderscored { let id: String; var value: Double; var _cache = 0 }
    struct Measures { var all: Entities<Measure> = [] }
    var old = Measures()
    var new = Measures()
    old.all.append(Measure(id: "a.b", value: .nan))
    new.all.append(Measure(id: "a.b", value: -.nan, _cache: 3))
    #expect(StateDiff.changes(from: old, to: new).isEmpty)
    new.all[id: "a.b"]?.value = 1
    let changes = StateDiff.changes(from: old, to: new)
    #expect(changes.keys == ["all", #"all.a\.b"#, #"all.a\.b.value"#])
    #expect(changes.newValue("all.a.b.value") == 1.0)
  }

  @Test func `Entities in an optional have keys, and so have identities with raw values`() {
    struct Key: RawRepresentable, Hashable { let rawValue: Int }
    struct Item: Identifiable { let id: Key; var text = "" }
    struct Shelf { var items: Entities<Item>? }
    let old = Shelf(items: [Item(id: Key(rawValue: 4))])
    let new = Shelf(items: [Item(id: Key(rawValue: 4), text: "x")])
    #expect(StateDiff.changes(from: old, to: new).keys == ["items", "items.4", "items.4.text"])
    #expect(StateDiff.changes(from: old, to: Shelf(items: nil)).contains("items.4"))
    #expect(StateDiff.changes(from: old, to: new).newValue("items.4.text") == "x")
  }

  @Test func `Identities of any type are found by their description`() {
    struct Coordinates: Hashable, CustomStringConvertible {
      let x: Int
      let y: Int
      var description: String { "\(x),\(y)" }
    }
    struct Cell: Identifiable { let id: Coordinates; var isOn = false }
    struct Field { var cells: Entities<Cell> = [] }
    let old = Field(cells: [Cell(id: Coordinates(x: 1, y: 2)), Cell(id: Coordinates(x: 3, y: 4))])
    var new = old
    new.cells[id: Coordinates(x: 3, y: 4)]?.isOn = true
    let changes = StateDiff.changes(from: old, to: new)
    #expect(changes.keys == ["cells", "cells.3,4", "cells.3,4.isOn"])
    #expect(changes.newValue("cells.3,4.isOn") == true)
  }

  @Test func `Elements that are not equatable are compared by their properties`() {
    struct Item: Identifiable { let id: Int; var pair = (1, "a") }
    let old: Entities = [Item(id: 1), Item(id: 2)]
    var new = old
    new[id: 2]?.pair.1 = "a"
    #expect(StateDiff.areEqual(old, new))
    new[id: 2]?.pair.1 = "b"
    #expect(!StateDiff.areEqual(old, new))
  }
}
