import FlaskDiff
import FlaskEntities
import Foundation
import Testing
import TestSupport

@Suite struct EntitiesTests {
  private func rows(_ ids: Int...) -> Entities<ListRow> { Entities(ids.map { ListRow(id: $0) }) }

  @Test func `Elements are found by identity and by offset`() {
    let rows = rows(7, 3, 9)
    #expect(rows.count == 3)
    #expect(rows[1].id == 3)
    #expect(rows[id: 9]?.id == 9)
    #expect(rows[id: 4] == nil)
    #expect(rows.index(id: 9) == 2)
    #expect(rows.index(id: 4) == nil)
    #expect(rows.contains(id: 7) && !rows.contains(id: 8))
    #expect(Array(rows.ids) == [7, 3, 9])
    #expect(rows.first?.id == 7 && rows.last?.id == 9)
    #expect(Array(rows.reversed().map(\.id)) == [9, 3, 7])
    #expect(rows[1...].map(\.id) == [3, 9])
  }

  @Test func `A copy keeps what it had`() {
    var rows = rows(1, 2, 3)
    let copy = rows
    rows[id: 2]?.title = "changed"
    rows.append(ListRow(id: 4))
    rows.remove(id: 1)
    #expect(rows.map(\.id) == [2, 3, 4])
    #expect(rows[id: 2]?.title == "changed")
    #expect(copy.map(\.id) == [1, 2, 3])
    #expect(copy[id: 2]?.title == "")
  }

  @Test func `What comes twice takes the place of the one that is there`() {
    let rows = Entities([
      ListRow(id: 1, title: "a"), ListRow(id: 2, title: "b"), ListRow(id: 1, title: "c"),
    ])
    #expect(Array(rows) == [ListRow(id: 1, title: "c"), ListRow(id: 2, title: "b")])
    var literal: Entities = [ListRow(id: 1), ListRow(id: 2, title: "x")]
    let were = [
      literal.append(ListRow(id: 2, title: "y")), literal.insert(ListRow(id: 2, title: "z"), at: 0),
      literal.insert(ListRow(id: 3), at: 0),
    ]
    #expect(were == [false, false, true])
    #expect(literal.map(\.id) == [3, 1, 2])
    #expect(literal[id: 2]?.title == "z")
  }

  @Test func `A closure can decide what becomes of those that come twice`() {
    let elements = [ListRow(id: 1, title: "a"), ListRow(id: 2, title: "b"), ListRow(id: 1, title: "c")]
    let joined = Entities(elements) { ListRow(id: $0.id, title: $0.title + $1.title) }
    #expect(joined[id: 1]?.title == "ac")
    let first = Entities(elements) { present, _ in present }
    #expect(first[id: 1]?.title == "a")
  }

  @Test func `Setting nil removes and setting an element where there is none appends`() {
    var rows = rows(1, 2)
    rows[id: 1] = nil
    rows[id: 5] = nil
    rows[id: 6]?.title = "nobody"
    rows[id: 3] = ListRow(id: 3, title: "new")
    #expect(Array(rows) == [ListRow(id: 2), ListRow(id: 3, title: "new")])
  }

  @Test func `An element with another identity takes the place and displaces who had that identity`() {
    var rows = rows(1, 2, 3, 4)
    rows[id: 3] = ListRow(id: 9)
    #expect(rows.map(\.id) == [1, 2, 9, 4])
    #expect(rows.index(id: 3) == nil && rows.index(id: 9) == 2)
    rows[id: 4]?.id = 1
    #expect(rows.map(\.id) == [2, 9, 1])
    rows[0] = ListRow(id: 9, title: "moved up")
    #expect(Array(rows) == [ListRow(id: 9, title: "moved up"), ListRow(id: 1)])
    #expect(rows.index(id: 1) == 1 && rows.index(id: 2) == nil)
  }

  @Test func `Elements move to where they are reported`() {
    var rows = rows(1, 2, 3, 4, 5)
    rows.move(id: 5, to: 0)
    #expect(rows.map(\.id) == [5, 1, 2, 3, 4])
    rows.move(id: 5, to: 99)
    #expect(rows.map(\.id) == [1, 2, 3, 4, 5])
    let isThere = [rows.move(id: 8, to: 0), rows.move(id: 1, to: 0)]
    #expect(isThere == [false, true])
    rows.move(fromOffsets: [0, 2, 77], toOffset: 4)
    #expect(rows.map(\.id) == [2, 4, 1, 3, 5])
    rows.swapAt(0, 4)
    #expect(rows.map(\.id) == [5, 4, 1, 3, 2])
    rows.sort { $0.id < $1.id }
    #expect(rows.map(\.id) == [1, 2, 3, 4, 5])
    rows.reverse()
    #expect(rows.map(\.id) == [5, 4, 3, 2, 1])
  }

  @Test func `Ranges and conditions remove`() {
    var rows = rows(1, 2, 3, 4, 5, 6)
    rows.removeSubrange(1..<3)
    #expect(rows.map(\.id) == [1, 4, 5, 6])
    rows.removeAll { $0.id % 2 == 0 }
    #expect(rows.map(\.id) == [1, 5])
    rows.replaceSubrange(0..<1, with: [ListRow(id: 8), ListRow(id: 9)])
    #expect(rows.map(\.id) == [8, 9, 5])
    let ends = [rows.popFirst()?.id, rows.popLast()?.id]
    #expect(ends == [8, 5])
    rows.removeAll()
    let last = rows.popLast()
    #expect(rows.isEmpty && last == nil && rows.first == nil)
  }

  @Test func `An element that is changed by identity is not copied`() {
    final class Content {}
    struct Box: Identifiable {
      let id: Int
      var content = Content()
      var isShared: Bool { mutating get { !isKnownUniquelyReferenced(&content) } }
    }
    var boxes = Entities((0..<100).map { Box(id: $0) })
    let throughSubscript = boxes[id: 50]?.isShared
    #expect(throughSubscript == false)
    let throughUpdate = boxes.update(id: 50) { $0.isShared }
    #expect(throughUpdate == false)
    let throughOffset = boxes[50].isShared
    #expect(throughOffset == false)
    let copy = boxes
    let afterCopy = boxes[id: 50]?.isShared
    #expect(afterCopy == true)
    withExtendedLifetime(copy) {}
  }

  @Test func `An error leaves what was changed up to then`() {
    struct Stop: Error {}
    var rows = rows(1, 2)
    #expect(throws: Stop.self) {
      try rows.update(id: 2) { row in
        row.title = "half"
        throw Stop()
      }
    }
    #expect(rows[id: 2]?.title == "half")
    let nobody: Void? = rows.update(id: 3) { $0.title = "" }
    #expect(nobody == nil)
  }

  @Test func `Entities are encoded as the array that they replace`() throws {
    let rows = Entities([ListRow(id: 2, title: "b"), ListRow(id: 1, title: "a")])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(rows), as: UTF8.self)
    #expect(text == #"[{"id":2,"title":"b"},{"id":1,"title":"a"}]"#)
    #expect(try JSONDecoder().decode(Entities<ListRow>.self, from: Data(text.utf8)) == rows)
    let twice = #"[{"id":1,"title":"x"},{"id":2,"title":"y"},{"id":1,"title":"z"}]"#
    let decoded = try JSONDecoder().decode(Entities<ListRow>.self, from: Data(twice.utf8))
    #expect(Array(decoded) == [ListRow(id: 1, title: "z"), ListRow(id: 2, title: "y")])
  }

  @Test func `Equal entities are equal however they came about`() {
    var rows = rows(1, 2, 3)
    var other = self.rows(3, 2, 1)
    #expect(rows != other)
    other.reverse()
    #expect(rows == other && rows.hashValue == other.hashValue)
    rows.move(id: 1, to: 2)
    #expect(rows != other)
    rows.move(id: 1, to: 0)
    #expect(rows == other)
    #expect(Set([rows, other]).count == 1)
  }

  @Test func `They describe themselves as arrays do`() {
    struct Mark: Identifiable, CustomStringConvertible {
      let id: Int
      var description: String { "mark \(id)" }
    }
    let marks: Entities = [Mark(id: 1), Mark(id: 2)]
    #expect("\(marks)" == "[mark 1, mark 2]")
    #expect(String(reflecting: marks) == "Entities([mark 1, mark 2])")
    #expect(Mirror(reflecting: marks).children.count == 2)
  }

  @Test func `an element that takes the identity of another one replaces it`() {
    var rows: Entities<ListRow> = [
      ListRow(id: 1, title: "a"), ListRow(id: 2, title: "b"), ListRow(id: 3, title: "c"),
    ]
    rows[id: 1]?.id = 2
    #expect(rows.map(\.id) == [2, 3])
    #expect(rows[id: 2]?.title == "a")
    rows[1].id = 2
    #expect(rows.map(\.id) == [2])
    #expect(rows[id: 2]?.title == "c")
  }

  @Test
  func `collections are equal as arrays of their elements are, also where an equality ignores the identity`()
  {
    struct Blind: Identifiable, Equatable {
      let id: Int
      var text = ""
      static func == (a: Blind, b: Blind) -> Bool { a.text == b.text }
    }
    for seed in 0..<50 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let first = Entities((0..<200).map { Blind(id: $0) })
      var second = first
      for step in 0..<20 {
        let offset = Int.random(in: 0..<second.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          second.remove(at: offset)
          second.insert(Blind(id: 1_000 + step), at: Int.random(in: 0...second.count, using: &generator))
        case 1: second.move(id: second[offset].id, to: Int.random(in: 0..<second.count, using: &generator))
        case 2: second[offset].text = "a"
        default: second[offset].text = ""
        }
        #expect((first == second) == (Array(first) == Array(second)), "seed \(seed), step \(step)")
      }
    }
  }
}
