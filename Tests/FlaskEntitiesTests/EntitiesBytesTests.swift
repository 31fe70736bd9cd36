import FlaskDiff
import FlaskEntities
import Testing
import TestSupport

/// Elements of all layouts are compared by the bytes of their leaves.
@Suite struct EntitiesBytesTests {
  private struct Byte: Identifiable, Equatable { var id: UInt8 }
  private struct Three: Identifiable, Equatable { let id: Int32; var a: Int32 = 0; var b: Int32 = 0 }
  private struct Padded: Identifiable, Equatable { let id: Int; var isDone = false }
  private struct Wide: Identifiable, Equatable { let id: Int; var numbers = SIMD4<Int64>() }
  private struct Measure: Identifiable, Equatable { let id: Int; var value = 0.0 }

  /// The offsets that an observer is told as updated, for each element that is changed by itself.
  private func updates<Element: Identifiable>(
    of elements: [Element],
    _ change: (inout Element) -> Void
  ) -> [[Int]] {
    let old = Entities(elements)
    return elements.indices.map { offset in
      var new = old
      change(&new[offset])
      return ElementChanges(from: old, to: new).updates.map(\.newOffset)
    }
  }

  @Test func `Each element that changes is found, whatever its size`() {
    let each = (0..<70).map { [$0] }
    #expect(updates(of: (0..<70).map { Three(id: $0) }) { $0.b = 7 } == each)
    #expect(updates(of: (0..<70).map { Padded(id: $0) }) { $0.isDone = true } == each)
    #expect(updates(of: (0..<70).map { Wide(id: $0) }) { $0.numbers.w = 7 } == each)
    #expect(updates(of: (0..<70).map { Measure(id: $0) }) { $0.value = 7 } == each)
  }

  @Test func `Each element that changes makes states different, and the same when it is changed back`() {
    struct State { var rows: Entities<Padded> }
    let old = State(rows: Entities((0..<70).map { Padded(id: $0) }))
    for id in 0..<70 {
      var new = old
      new.rows[id: id]?.isDone = true
      #expect(!StateDiff.areEqual(old, new))
      #expect(new.rows != old.rows)
      new.rows[id: id]?.isDone = false
      #expect(StateDiff.areEqual(old, new))
      #expect(new.rows == old.rows)
    }
  }

  @Test func `Elements of a leaf that lie in another order than they follow each other are compared, too`() {
    var old = Entities((0..<20).map { Padded(id: $0) })
    old.move(id: 3, to: 11)
    old.remove(id: 8)
    for offset in old.indices {
      var new = old
      new[offset].isDone = true
      #expect(ElementChanges(from: old, to: new).updates.map(\.newOffset) == [offset])
      #expect(new != old)
    }
  }

  @Test func `Each of eight elements whose bytes are compared at once makes states different`() {
    struct Pair: Identifiable, Equatable { let id: Int32; var value: Int32 = 0 }
    struct State { var pairs: Entities<Pair> }
    let old = State(pairs: Entities((0..<32).map { Pair(id: $0) }))
    for id: Int32 in 0..<32 {
      var new = old
      new.pairs[id: id]?.value = 1
      #expect(!StateDiff.areEqual(old, new))
      #expect(new.pairs != old.pairs)
    }
  }

  @Test func `Elements that change places within their leaf make states different, both ways`() {
    struct State { var rows: Entities<Padded> }
    let old = State(rows: Entities((0..<20).map { Padded(id: $0) }))
    var new = old
    new.rows.move(id: 3, to: 11)
    #expect(!StateDiff.areEqual(old, new))
    #expect(!StateDiff.areEqual(new, old))
    #expect(old.rows != new.rows)
    #expect(new.rows != old.rows)
  }

  @Test func `An element fewer in one leaf and one more in another make states different`() {
    struct State { var rows: Entities<Padded> }
    let old = State(rows: Entities((0..<50).map { Padded(id: $0) }))
    var new = old
    new.rows.remove(id: 31)
    new.rows.append(Padded(id: 77))
    #expect(new.rows.count == old.rows.count)
    #expect(!StateDiff.areEqual(old, new))
    #expect(!StateDiff.areEqual(new, old))
    #expect(old.rows != new.rows)
  }

  @Test func `An element that differs in its bytes alone hides no other one`() {
    struct State { var rows: Entities<ListRow> }
    func title() -> String { String(repeating: "a title on the heap", count: 2) }
    let old = State(rows: Entities((0..<20).map { ListRow(id: $0, title: title()) }))
    var new = old
    for id in 0..<10 { new.rows[id: id]?.title = title() }
    #expect(StateDiff.areEqual(old, new))
    new.rows[id: 15]?.title = "another one"
    #expect(!StateDiff.areEqual(old, new))
    #expect(ElementChanges(from: old.rows, to: new.rows).updates.map(\.newOffset) == [15])
  }

  @Test func `An element that another takes the place of in a leaf is no update`() {
    let old = Entities((0..<20).map { Padded(id: $0) })
    var new = old
    new.remove(id: 19)
    new.append(Padded(id: 77))
    let changes = ElementChanges(from: old, to: new)
    #expect(changes.updates.isEmpty)
    #expect(changes.removals.map(\.element.id) == [19] && changes.insertions.map(\.element.id) == [77])
  }

  @Test func `Not a number is not equal to itself where its leaf was changed`() {
    var old: Entities = [Measure(id: 1, value: .nan), Measure(id: 2)]
    var new = old
    new[id: 2]?.value = 1
    old[id: 2]?.value = 1
    #expect(old != new)
    #expect(StateDiff.areEqual(old, new))
  }
}
