import FlaskDiff
import Testing

@testable import FlaskEntities
import TestSupport

private struct Weak {
  weak var object: AnyObject?
  init(_ object: AnyObject) { self.object = object }
}

/// How full the leaves of entities are.
@Suite struct EntityTreeTests {
  /// How many leaves, or nodes if there is more than one level of these, are below the topmost node.
  private func leafCount(_ rows: Entities<ListRow>) -> Int {
    rows.tree.withNode(rows.tree.root) { $0.info.count }
  }

  @Test func `A leaf with few elements joins the one beside it that has fewer`() {
    var rows = Entities((0..<96).map { ListRow(id: $0) })
    #expect(rows.tree.height == 0)
    #expect(leafCount(rows) == 3)
    for id in 3..<32 { rows[id: id] = nil }
    #expect(leafCount(rows) == 3)
    for id in 32..<57 { rows[id: id] = nil }
    #expect(leafCount(rows) == 2)
    #expect(rows.map(\.id) == [0, 1, 2] + Array(57..<96))
  }

  @Test func `A leaf joins the one behind it if that has fewer`() {
    var rows = Entities((0..<96).map { ListRow(id: $0) })
    for id in 67..<96 { rows[id: id] = nil }
    for id in 32..<57 { rows[id: id] = nil }
    #expect(leafCount(rows) == 2)
    #expect(rows.map(\.id) == Array(0..<32) + Array(57..<67))
  }

  @Test func `Leaves are full in a collection that grows at its begin or its end`() {
    var rows = Entities<ListRow>()
    for id in (0..<96).reversed() { rows.insert(ListRow(id: id), at: 0) }
    #expect(leafCount(rows) == 3)
    rows = Entities((0..<96).map { ListRow(id: $0) })
    #expect(leafCount(rows) == 3)
  }

  @Test func `What is where it is to be stays untouched`() {
    let old = Entities((0..<64).map { ListRow(id: $0) })
    var new = old
    new.sort { $0.id < $1.id }
    new.move(id: 5, to: 5)
    #expect(new.tree.leaves[0] == old.tree.leaves[0])
    #expect(new.tree.leaves[1] == old.tree.leaves[1])
  }

  @Test func `A leaf whose last element goes is still in order, and another one is not`() {
    var rows = Entities((0..<20).map { ListRow(id: $0) })
    rows.remove(id: 19)
    #expect(rows.tree.withLeaf(0) { $0.info.isInOrder })
    rows.remove(id: 3)
    #expect(!rows.tree.withLeaf(0) { $0.info.isInOrder })
  }

  @Test func `Elements in leaves of other numbers are the same`() {
    let old = Entities((0..<64).map { ListRow(id: $0) })
    var new = old
    for id in 0..<64 { new[id: id] = nil }
    new.append(contentsOf: old)
    // The numbers that were freed last come again first.
    #expect(new.tree.locate(0).leaf == 1)
    #expect(new == old)
    #expect(StateDiff.areEqual(old, new))
  }

  @Test func `A leaf that has joined another, or has no elements left, is released`() {
    var rows = Entities((0..<96).map { ListRow(id: $0) })
    let leaves = (0..<3).map {
      Weak(Unmanaged<EntityLeaf>.fromOpaque(rows.tree.leaves[$0]).takeUnretainedValue())
    }
    #expect(leaves.allSatisfy { $0.object != nil })
    for id in 0..<32 { rows[id: id] = nil }
    for id in 32..<57 { rows[id: id] = nil }
    for id in 64..<90 { rows[id: id] = nil }
    #expect(leafCount(rows) == 1)
    #expect(leaves.filter { $0.object != nil }.count == 1)
    #expect(rows.map(\.id) == Array(57..<64) + Array(90..<96))
  }

  @Test func `A leaf that takes the number of one that was removed is not taken for it`() {
    // Three leaves that are full.
    let old = Entities((0..<96).map { ListRow(id: $0) })
    var new = old
    for id in 32..<64 { new[id: id] = nil }
    new.append(contentsOf: old[32..<64])
    #expect(new.tree.leaves.end == 3)
    #expect(new.map(\.id) == Array(0..<32) + Array(64..<96) + Array(32..<64))
    #expect(new != old)
    #expect(!StateDiff.areEqual(old, new))
    let changes = ElementChanges(from: old, to: new)
    #expect(changes.moves.count == 32)
    #expect(changes.insertions.isEmpty && changes.removals.isEmpty && changes.updates.isEmpty)
  }

  @Test func `A node below which there is nothing left goes`() {
    var rows = Entities((0..<3_072).map { ListRow(id: $0) })
    #expect(rows.tree.height == 1)
    #expect(leafCount(rows) == 3)
    for id in 0..<1_024 { rows[id: id] = nil }
    #expect(leafCount(rows) == 2)
    for id in 2_048..<3_072 { rows[id: id] = nil }
    #expect(rows.tree.height == 0)
    #expect(rows.map(\.id) == Array(1_024..<2_048))
  }

  @Test func `Leaves whose numbers lie in different nodes are walked in their order`() {
    var rows = Entities((0..<2_048).map { ListRow(id: $0) })
    var model = Array(0..<2_048)
    // The numbers of leaves that go are given again, to leaves at other places.
    for begin in stride(from: 64, to: 2_048, by: 256) {
      rows.removeAll { ($0.id / 64) == begin / 64 }
      model.removeAll { $0 / 64 == begin / 64 }
    }
    for id in 5_000..<5_600 {
      let place = id * 7_919 % model.count
      rows.insert(ListRow(id: id), at: place)
      model.insert(id, at: place)
    }
    #expect(rows.map(\.id) == model)
    #expect(model.indices.allSatisfy { rows[$0].id == model[$0] })
  }

  @Test func `A walk continues through what was there when it began`() {
    let count = 1_000
    var rows = Entities((0..<count).map { ListRow(id: $0) })
    var walk = rows.makeIterator()
    var seen: [Int] = []
    for _ in 0..<100 { if let row = walk.next() { seen.append(row.id) } }
    func requireSendable(_: some Sendable) {}
    requireSendable(walk)
    var twin = walk
    for id in 0..<count {
      rows[id: id]?.title = "changed"
      if id % 3 == 0 { rows.remove(id: id) }
    }
    rows.removeAll()
    var rest: [ListRow] = []
    while let row = twin.next() { rest.append(row) }
    while let row = walk.next() { seen.append(row.id) }
    #expect(seen == Array(0..<count))
    #expect(rest == (100..<count).map { ListRow(id: $0) })
  }
}
