import FlaskEntities
import FlaskHistory
import Testing
import TestSupport

@Suite struct StatePatchTests {
  private func patch(_ change: (inout Sheet) -> Void) -> (old: Sheet, new: Sheet, patch: StatePatch<Sheet>) {
    var old = Sheet()
    old.rows = (0..<4).map { Row(id: $0, title: "row \($0)", cells: [$0]) }
    old.scores = ["a": 1, "b": 2]
    old.entries = [Row(id: 1, title: "one"), Row(id: 2, title: "two"), Row(id: 3, title: "three")]
    old.badge = Badge(text: "x", weights: [1, 2])
    var new = old
    change(&new)
    return (old, new, StatePatch(from: old, to: new))
  }

  @Test func `a patch names the keys that differ with their values`() {
    let (_, _, patch) = patch {
      $0.count = 3
      $0.frame.size.label = "wide"
      $0.rows[2].title = "other"
      $0.scores["c"] = 5
      $0.scores["a"] = nil
      $0.badge?.text = "y"
    }
    #expect(
      Set(patch.keys) == ["count", "frame.size.label", "rows.2.title", "scores.c", "scores.a", "badge.text"]
    )
    #expect(
      patch.description.split(separator: "\n").sorted().joined(separator: "\n") == """
        + badge.text: "y"
        + count: 3
        + frame.size.label: "wide"
        + rows.2.title: "other"
        + scores.c: 5
        - badge.text: "x"
        - count: 0
        - frame.size.label: "w"
        - rows.2.title: "row 2"
        - scores.a: 1
        """
    )
  }

  @Test func `what is in an optional counts among the bytes of a patch`() {
    let (_, _, patch) = patch { $0.badge?.text = String(repeating: "y", count: 10_000) }
    #expect((10_000..<11_000).contains(patch.byteCount))
  }

  @Test func `two equal states make an empty patch`() {
    let patch = StatePatch(from: Sheet(), to: Sheet())
    #expect(patch.isEmpty)
    #expect(patch.keys == [])
  }

  @Test func `a patch leads from the old state to the new one, and its inverse back`() throws {
    let (old, new, patch) = patch {
      $0.rows.remove(at: 1)
      $0.rows.insert(Row(id: 9), at: 1)
      $0.rows.append(Row(id: 10))
      $0.entries.move(id: 3, to: 0)
      $0.entries[id: 1] = nil
      $0.entries[id: 2]?.title = "zwei"
      $0.tags = ["x"]
      $0.mode = .running(speed: 2)
      $0.note = "n"
      $0.level = 5
    }
    var state = old
    try patch.apply(to: &state)
    #expect(state == new)
    try patch.inverted().apply(to: &state)
    #expect(state == old)
    #expect(try patch.inverted().inverted().applied(to: old) == new)
  }

  @Test func `what else is in the state may be different`() throws {
    let (old, _, patch) = patch { $0.rows[3].title = "changed" }
    var other = old
    other.count = 77
    other.rows[0].title = "foreign"
    try patch.apply(to: &other)
    #expect(other.count == 77)
    #expect(other.rows.map(\.title) == ["foreign", "row 1", "row 2", "changed"])
  }

  @Test func `random edits are made and undone`() throws {
    let seed = Workload.seed
    var generator = SeededGenerator(seed: seed)
    var state = Sheet()
    for _ in 0..<Workload.count(3_000, full: 100_000) {
      var next = state
      for _ in 0..<Int.random(in: 1...4, using: &generator) { next.edit(using: &generator) }
      let patch = StatePatch(from: state, to: next)
      var patched = state
      try patch.apply(to: &patched)
      try #require(patched == next, "seed \(seed)")
      try patch.inverted().apply(to: &patched)
      try #require(patched == state, "seed \(seed)")
      state = next
    }
  }

  // MARK: What does not fit

  private func mismatch(_ state: Sheet, _ patch: StatePatch<Sheet>) throws -> PatchMismatch {
    var copy = state
    let error = #expect(throws: PatchMismatch.self) { try patch.apply(to: &copy) }
    #expect(copy == state)
    return try #require(error)
  }

  @Test func `a patch that does not fit says where, and changes nothing`() throws {
    let (old, _, patch) = patch {
      $0.title = "new"
      $0.count = 1
      $0.rows[2].title = "new"
    }
    var other = old
    other.rows[2].title = "foreign"
    #expect(
      try mismatch(other, patch).description
        == "`rows.2.title` has another value than the patch was made from"
    )
    other = old
    other.count = 9
    #expect(try mismatch(other, patch).key == "count")
    other = old
    other.rows.removeLast(2)
    #expect(
      try mismatch(other, patch).description == "`rows.2` is not there, which the patch changes or removes"
    )
  }

  @Test func `entries and elements by identity that do not fit are named`() throws {
    let (old, _, patch) = patch {
      $0.scores["b"] = nil
      $0.scores["c"] = 1
      $0.entries[id: 2]?.title = "zwei"
    }
    var other = old
    other.scores["b"] = 7
    #expect(try mismatch(other, patch).key == "scores.b")
    other = old
    other.scores["c"] = 1
    #expect(
      try mismatch(other, patch).description == "`scores.c` is there already, which the patch adds"
    )
    other = old
    other.entries[id: 2] = nil
    #expect(try mismatch(other, patch).key == "entries.2")
    other = old
    other.badge = nil
    let inBadge = self.patch { $0.badge?.text = "y" }.patch
    #expect(try mismatch(other, inBadge).key == "badge")
  }

  // MARK: What it costs

  @Test func `one of 10,000 elements does not hold the array`() {
    var old = Sheet()
    old.rows = (0..<10_000).map { Row(id: $0, title: "row number \($0)") }
    old.scores = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ("key \($0)", $0) })
    old.title = String(repeating: "all work and no play ", count: 10_000)
    var new = old
    new.rows[5_000].title = "changed"
    new.rows.insert(Row(), at: 20)
    new.rows.removeLast()
    #expect(StatePatch(from: old, to: new).byteCount < 1_000)
    new = old
    new.rows.reverse()
    #expect(StatePatch(from: old, to: new).byteCount > 100_000)
    new = old
    new.rows[5_000].title = "changed"
    new.scores["key 77"] = 0
    new.scores["more"] = 0
    new.title.insert("é", at: new.title.index(new.title.startIndex, offsetBy: 100_000))
    #expect(StatePatch(from: old, to: new).byteCount < 1_000)
    new = old
    new.rows.remove(at: 5_000)
    #expect(StatePatch(from: old, to: new).byteCount < 1_000)
  }

  @Test func `states of any type have patches`() throws {
    #expect(try StatePatch(from: 1, to: 5).applied(to: 1) == 5)
    #expect(try StatePatch(from: [1, 2], to: [1, 3, 2]).applied(to: [1, 2]) == [1, 3, 2])
    #expect(try StatePatch(from: Mode.idle, to: .running(speed: 1)).applied(to: .idle) == .running(speed: 1))
    #expect(throws: PatchMismatch.self) { try StatePatch(from: 1, to: 5).applied(to: 2) }
  }

  @Test func `functions in a state are replaced with it`() throws {
    struct Machine: Sendable {
      var name = "a"
      var run: @Sendable (Int) -> Int = { $0 }
    }
    let old = Machine()
    var new = old
    new.run = { $0 + 1 }
    new.name = "b"
    let patch = StatePatch(from: old, to: new)
    let patched = try patch.applied(to: old)
    #expect(patched.run(1) == 2)
    #expect(try patch.inverted().applied(to: patched).run(1) == 1)
  }

  private final class Friend: Sendable {}
  private struct Weak: Sendable { weak var friend: Friend? }
  private struct Unowned: Sendable { unowned var friend: Friend }
  private struct Unmanaged: Sendable { unowned(unsafe) var friend: Friend }
  private struct Beside: Sendable {
    weak var friend: Friend?
    var number = 0
  }
  private struct Around: Sendable {
    var inner: Weak?
    var list: [Beside] = []
  }

  @Test func `a reference that is not counted is replaced with the struct around it`() throws {
    let (a, b) = (Friend(), Friend())
    var weak = Weak(friend: a)
    try StatePatch(from: weak, to: Weak(friend: b)).apply(to: &weak)
    #expect(weak.friend === b)
    var unowned = Unowned(friend: a)
    try StatePatch(from: unowned, to: Unowned(friend: b)).apply(to: &unowned)
    #expect(unowned.friend === b)
    var unmanaged = Unmanaged(friend: a)
    try StatePatch(from: unmanaged, to: Unmanaged(friend: b)).apply(to: &unmanaged)
    #expect(unmanaged.friend === b)
    var beside = Beside(friend: a, number: 1)
    let patch = StatePatch(from: beside, to: Beside(friend: b, number: 2))
    try patch.apply(to: &beside)
    #expect(beside.friend === b)
    #expect(beside.number == 2)
    try patch.inverted().apply(to: &beside)
    #expect(beside.friend === a)
    #expect(beside.number == 1)
    var around = Around(inner: Weak(friend: a), list: [Beside(friend: a)])
    try StatePatch(from: around, to: Around(inner: Weak(friend: b), list: [Beside(friend: b)])).apply(
      to: &around
    )
    #expect(around.inner?.friend === b)
    #expect(around.list.first?.friend === b)
    withExtendedLifetime((a, b)) {}
  }

  @Test func `a patch that does not fit leaves the order of entities as it was`() {
    struct Leaf: Sendable, Equatable, Identifiable {
      let id: Int
      var value = 0
    }
    let three = Entities([Leaf(id: 1), Leaf(id: 2), Leaf(id: 3)])
    let patch = StatePatch(from: three, to: [Leaf(id: 1), Leaf(id: 2)])
    var other = Entities([Leaf(id: 1), Leaf(id: 3, value: 9), Leaf(id: 2)])
    let before = other
    #expect(throws: PatchMismatch.self) { try patch.apply(to: &other) }
    #expect(other == before)
  }
}
