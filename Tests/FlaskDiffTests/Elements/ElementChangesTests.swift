import FlaskDiff
import Synchronization
import Testing
import TestSupport

private final class Hashes: Sendable {
  let count = Atomic(0)
}

/// An element that says how often its identity is hashed.
private struct HashedRow: Identifiable, Equatable {
  struct ID: Hashable {
    let number: Int
    let hashes: Hashes
    static func == (a: ID, b: ID) -> Bool { a.number == b.number }
    func hash(into hasher: inout Hasher) {
      hashes.count.add(1, ordering: .relaxed)
      hasher.combine(number)
    }
  }
  let id: ID
}

@Suite struct ElementChangesTests {
  private func rows(_ ids: Int...) -> [ListRow] { ids.map { ListRow(id: $0) } }

  @Test func `Equal collections have no changes`() {
    #expect(ElementChanges(from: rows(1, 2, 3), to: rows(1, 2, 3)).isEmpty)
    #expect(ElementChanges(from: rows(), to: rows()).isEmpty)
  }

  @Test func `What is new is an insertion at its new offset`() {
    let changes = ElementChanges(from: rows(1, 2, 3), to: rows(0, 1, 2, 9, 3, 8))
    #expect(changes.description == "+ 0: \(ListRow(id: 0))\n+ 3: \(ListRow(id: 9))\n+ 5: \(ListRow(id: 8))")
  }

  @Test func `slices of one array that begin at one place differ by their lengths`() {
    let all = rows(1, 2, 3)
    #expect(ElementChanges(from: all[..<2], to: all[...]).insertions.map(\.offset) == [2])
    #expect(ElementChanges(from: all[...], to: all[..<1]).removals.map(\.offset) == [1, 2])
    #expect(ElementChanges(from: all[1...], to: all[1...]).isEmpty)
  }

  @Test func `What was removed is a removal at its old offset`() {
    let changes = ElementChanges(from: rows(0, 1, 2, 9, 3, 8), to: rows(1, 2, 3))
    #expect(changes.removals.map(\.offset) == [0, 3, 5])
    #expect(changes.removals.map(\.element.id) == [0, 9, 8])
    #expect(changes.insertions.isEmpty && changes.moves.isEmpty && changes.updates.isEmpty)
  }

  @Test func `Where neighbours are the same no identity is hashed`() {
    let hashes = Hashes()
    let row = { HashedRow(id: HashedRow.ID(number: $0, hashes: hashes)) }
    let all = (0..<20).map(row)
    let some = [0, 2, 3, 4, 9, 10, 11, 19].map { all[$0] }
    #expect(
      ElementChanges(from: all, to: some).removals.map(\.offset) == [
        1, 5, 6, 7, 8, 12, 13, 14, 15, 16, 17, 18,
      ]
    )
    hashes.count.store(0, ordering: .relaxed)
    let few = all.filter { ![3, 8, 15].contains($0.id.number) }
    #expect(ElementChanges(from: all, to: few).removals.map(\.offset) == [3, 8, 15])
    #expect(ElementChanges(from: few, to: all).insertions.map(\.offset) == [3, 8, 15])
    #expect(hashes.count.load(ordering: .relaxed) == 0)
    let other = ElementChanges(from: all, to: all.reversed())
    #expect(other.moves.count == 19)
    #expect(hashes.count.load(ordering: .relaxed) > 0)
  }

  @Test func `The element that passed others has moved and they have not`() {
    let forward = ElementChanges(from: rows(1, 2, 3, 4, 5), to: rows(2, 3, 4, 1, 5))
    #expect(forward.moves == [.init(element: ListRow(id: 1), oldOffset: 0, newOffset: 3)])
    #expect(forward.insertions.isEmpty && forward.removals.isEmpty && forward.updates.isEmpty)
    let back = ElementChanges(from: rows(1, 2, 3, 4, 5), to: rows(1, 5, 2, 3, 4))
    #expect(back.moves == [.init(element: ListRow(id: 5), oldOffset: 4, newOffset: 1)])
  }

  @Test func `An element with another value is an update with both values`() {
    let old = [ListRow(id: 1), ListRow(id: 2, title: "old"), ListRow(id: 3)]
    let new = [ListRow(id: 0), ListRow(id: 1), ListRow(id: 2, title: "new")]
    let changes = ElementChanges(from: old, to: new)
    #expect(
      changes.updates == [
        .init(
          oldElement: ListRow(id: 2, title: "old"),
          element: ListRow(id: 2, title: "new"),
          oldOffset: 1,
          newOffset: 2
        )
      ]
    )
    #expect(changes.insertions.map(\.offset) == [0])
    #expect(changes.removals.map(\.offset) == [2])
  }

  @Test func `An element can move and be updated at once`() {
    let changes = ElementChanges(
      from: rows(1, 2, 3),
      to: [ListRow(id: 3, title: "last comes first"), ListRow(id: 1), ListRow(id: 2)]
    )
    #expect(
      changes.moves == [.init(element: ListRow(id: 3, title: "last comes first"), oldOffset: 2, newOffset: 0)]
    )
    #expect(changes.updates.map(\.newOffset) == [0])
  }

  @Test func `Values are compared as states are, so that NaN equals itself`() {
    struct Measure: Identifiable, HidesUnderscored { var id: String; var value: Double; var _cache = 0 }
    let old = [Measure(id: "a", value: .nan), Measure(id: "b", value: 1)]
    let new = [Measure(id: "a", value: -.nan), Measure(id: "b", value: 1, _cache: 7)]
    #expect(ElementChanges(from: old, to: new).isEmpty)
  }

  @Test func `Collections without contiguous storage are compared as well`() {
    let changes = ElementChanges(
      from: (0..<10).lazy.map { ListRow(id: $0) },
      to: (1..<11).lazy.map { ListRow(id: $0) }
    )
    #expect(changes.removals.map(\.element.id) == [0])
    #expect(changes.insertions.map(\.element.id) == [10])
  }

  @Test func `Changes do not apply to fewer elements than they were found for`() {
    let changes = ElementChanges(from: rows(1, 2, 3), to: rows(1, 2))
    #expect(changes.applied(to: rows(1)) == nil)
    #expect(changes.applied(to: rows(1, 2, 3)) == rows(1, 2))
  }

  /// All sequences of up to four different identities out of five, each with each: changes lead from one to the other,
  /// and no fewer moves would.
  @Test func `Every pair of short lists is described with as few moves as can be`() {
    var lists: [[Int]] = [[]]
    var longest = lists
    for _ in 0..<4 {
      longest = longest.flatMap { list in (0..<5).filter { !list.contains($0) }.map { list + [$0] } }
      lists += longest
    }
    #expect(lists.count == 206)
    for old in lists {
      for new in lists {
        let oldRows = old.map { ListRow(id: $0) }
        let newRows = new.map { ListRow(id: $0, title: $0 == 2 ? "changed" : "") }
        let changes = ElementChanges(from: oldRows, to: newRows)
        let common = new.compactMap { old.firstIndex(of: $0) }
        let fewest = common.count - lengthOfLongestAscent(common)
        guard changes.applied(to: oldRows) == newRows, changes.moves.count == fewest,
          changes.insertions.map(\.offset) == new.indices.filter({ !old.contains(new[$0]) }),
          changes.removals.map(\.offset) == old.indices.filter({ !new.contains(old[$0]) }),
          changes.updates.map(\.element.id) == (old.contains(2) && new.contains(2) ? [2] : [])
        else {
          Issue.record("\(old) to \(new): \(changes)")
          return
        }
      }
    }
  }

  @Test func `Random lists, also with identities that occur twice, become each other`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<2000 {
      let span = Int.random(in: 1...40, using: &random)
      func list() -> [ListRow] {
        (0..<Int.random(in: 0...30, using: &random)).map { _ in
          ListRow(id: .random(in: 0..<span, using: &random), title: Bool.random(using: &random) ? "x" : "")
        }
      }
      let old = list()
      let new = list()
      #expect(ElementChanges(from: old, to: new).applied(to: old) == new, "seed 11: \(old) to \(new)")
    }
  }

  private func lengthOfLongestAscent(_ numbers: [Int]) -> Int {
    var longest: [Int] = []
    for (index, number) in numbers.enumerated() {
      longest.append(1 + (zip(numbers[..<index], longest).filter { $0.0 < number }.map(\.1).max() ?? 0))
    }
    return longest.max() ?? 0
  }
}

@Suite struct EntryChangesTests {
  @Test func `Entries of dictionaries are reported by key`() {
    let changes = EntryChanges(from: ["a": 1, "b": 2, "c": 3], to: ["b": 2, "c": 4, "d": 5])
    #expect(changes.insertions == [.init(key: "d", value: 5)])
    #expect(changes.removals == [.init(key: "a", value: 1)])
    #expect(changes.updates == [.init(key: "c", oldValue: 3, value: 4)])
    #expect(EntryChanges(from: ["a": Double.nan], to: ["a": -Double.nan]).isEmpty)
  }
}
