import FlaskDiff
import FlaskEntities
import Testing
import TestSupport

@Suite struct LargeEntitiesTests {
  @Test func `A million elements come, are found, change, move and go`() {
    let count = RandomEntitiesTests.isFull ? 1_000_000 : 100_000
    var rows = Entities((0..<count).lazy.map { ListRow(id: $0) })
    let copy = rows
    for step in 0..<1000 {
      let id = step * (count / 1000)
      rows[id: id]?.title = "changed"
      rows.move(id: id, to: count - 1 - step)
    }
    for id in 0..<1000 { rows.insert(ListRow(id: count + id), at: id * 7) }
    let changes = ElementChanges(from: copy, to: rows)
    #expect(changes.insertions.count == 1000 && changes.removals.isEmpty)
    #expect(changes.updates.count == 1000)
    #expect(changes.moves.count <= 1000)
    #expect(copy.count == count && rows.count == count + 1000)
    #expect(copy.enumerated().allSatisfy { $0.offset == $0.element.id && $0.element.title == "" })
    for (offset, row) in rows.enumerated() where offset % 997 == 0 {
      #expect(rows.index(id: row.id) == offset && rows[offset] == row)
    }
    for id in 0..<count - 10 { rows.remove(id: id) }
    #expect(rows.count == 1010)
    #expect(rows.map(\.id).sorted() == Array(count - 10..<count + 1000))
    rows.removeAll { _ in true }
    #expect(rows.isEmpty)
  }

  @Test func `Insertions at one place, from the front and from the end keep all in order`() {
    for place in [0, 5, 1000] {
      var rows: Entities<ListRow> = []
      var model: [Int] = []
      for id in 0..<5000 {
        let offset = min(place, model.count)
        rows.insert(ListRow(id: id), at: offset)
        model.insert(id, at: offset)
      }
      #expect(rows.map(\.id) == model)
      while rows.count > 3 {
        rows.remove(at: min(place, rows.count - 1))
        model.remove(at: min(place, model.count - 1))
        if rows.count % 500 == 3 { #expect(rows.map(\.id) == model) }
      }
    }
  }

  @Test func `Every element is released once with the last value that holds it`() {
    final class Counter { var alive = 0 }
    final class Content {
      let counter: Counter
      init(_ counter: Counter) {
        self.counter = counter
        counter.alive += 1
      }
      deinit { counter.alive -= 1 }
    }
    struct Item: Identifiable { let id: Int; var content: Content }
    let counter = Counter()
    do {
      var numbers = SeededGenerator(seed: 3)
      var items: Entities<Item> = []
      var held: [Entities<Item>] = []
      for step in 0..<3000 {
        let id = Int.random(in: 0..<500, using: &numbers)
        switch step % 5 {
        case 0, 1: items.insert(Item(id: id, content: Content(counter)), at: items.count / 2)
        case 2: items[id: id] = nil
        case 3: items[id: id]?.content = Content(counter)
        default: items.move(id: id, to: step % 100)
        }
        if step % 100 == 0 { held.append(items) }
        if held.count > 8 { held.removeFirst() }
      }
      held.removeAll()
      #expect(counter.alive == items.count)
    }
    #expect(counter.alive == 0)
  }

  @Test func `Many elements of one identity at once leave one, which is found`() {
    var rows = Entities((0..<10_000).map { ListRow(id: 7, title: "\($0)") })
    #expect(rows.count == 1 && rows[id: 7]?.title == "9999")
    rows.append(contentsOf: (0..<5_000).map { ListRow(id: $0) })
    #expect(rows.count == 5_000 && (0..<5_000).allSatisfy { rows.contains(id: $0) })
    rows.removeAll { $0.id != 9 }
    #expect(rows.map(\.id) == [9] && rows[id: 9] != nil && rows[id: 8] == nil)
  }

  @Test func `A collection that was doubled at once and its copy from before do not change each other`() {
    var rows = Entities((0..<3_000).map { ListRow(id: $0) })
    let copy = rows
    rows.append(contentsOf: (3_000..<9_000).map { ListRow(id: $0) })
    rows[id: 5]?.title = "changed"
    #expect(copy.count == 3_000 && copy[id: 5]?.title == "" && copy[id: 3_000] == nil)
    #expect(rows.map(\.id) == Array(0..<9_000) && rows.allSatisfy { rows[id: $0.id] == $0 })
    let changes = ElementChanges(from: copy, to: rows)
    #expect(changes.insertions.count == 6_000 && changes.updates.count == 1 && changes.removals.isEmpty)
  }
}
