import FlaskCore
import FlaskMerging
import Testing

/// Values that two sides have changed, merged key by key.
@Suite struct ArchiveValueMergeTests {
  private func merge(_ base: Any?, _ mine: Any?, _ theirs: Any?, levels: Int = 8) -> ArchiveValue? {
    .merge(base: base.map(json), mine: mine.map(json), theirs: theirs.map(json), levels: levels)
  }

  @Test func `a change of one side is taken from that side`() {
    let base: Any = ["name": "Ada", "visits": 3]
    #expect(merge(base, ["name": "Bob", "visits": 3], base) == json(["name": "Bob", "visits": 3]))
    #expect(merge(base, base, ["name": "Ada", "visits": 4]) == json(["name": "Ada", "visits": 4]))
    #expect(
      merge(base, ["name": "Bob", "visits": 3], ["name": "Ada", "visits": 4])
        == json(["name": "Bob", "visits": 4])
    )
  }

  @Test func `what both sides have changed is the value of this side`() {
    let base: Any = ["visits": 3]
    #expect(merge(base, ["visits": 4], ["visits": 5]) == json(["visits": 4]))
    #expect(merge(["list": [1]], ["list": [1, 2]], ["list": [1, 3]]) == json(["list": [1, 2]]))
  }

  @Test func `a key that one side has removed is absent, unless the other side has changed it`() {
    let base: Any = ["a": 1, "b": 2]
    #expect(merge(base, ["b": 2], base) == json(["b": 2]))
    #expect(merge(base, base, ["b": 2]) == json(["b": 2]))
    #expect(merge(base, ["a": 9, "b": 2], ["b": 2]) == json(["a": 9, "b": 2]))
  }

  @Test func `a key that one side has added is there, with or without an ancestor`() {
    #expect(merge(["a": 1], ["a": 1, "b": 2], ["a": 1, "c": 3]) == json(["a": 1, "b": 2, "c": 3]))
    #expect(merge(nil, ["a": 1], ["b": 2]) == json(["a": 1, "b": 2]))
    #expect(merge(nil, nil, ["b": 2]) == json(["b": 2]))
  }

  @Test func `below the last level a value is one whole`() {
    let base: Any = ["in": ["a": 1, "b": 1]]
    let mine: Any = ["in": ["a": 2, "b": 1]]
    let theirs: Any = ["in": ["a": 1, "b": 2]]
    #expect(merge(base, mine, theirs, levels: 2) == json(["in": ["a": 2, "b": 2]]))
    #expect(merge(base, mine, theirs, levels: 1) == json(mine))
  }
}
