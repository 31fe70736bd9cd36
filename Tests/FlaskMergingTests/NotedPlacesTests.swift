import FlaskCore
import FlaskEntities
import FlaskMerging
import Testing

/// Arrays that encode unordered collections, or elements with identities, merged by element.
@Suite struct NotedPlacesTests {
  private struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private struct Row: Codable, Identifiable, Sendable {
    let id: Int
  }

  private enum Phase: Codable, Hashable { case idle, done }

  /// Marks the value under "x" as the encoded form of `value`, and merges.
  private func merge(
    _ value: some Encodable,
    _ base: Any,
    _ mine: Any,
    _ theirs: Any
  ) -> ArchiveValue? {
    func keyed(_ content: Any) -> ArchiveValue {
      let places = NotedPlaces(of: [:]) { "\($0)" }
      places.record(value, at: [Key(stringValue: "x")])
      return places.keyed(json(["x": content]))
    }
    let merged = ArchiveValue.merge(base: keyed(base), mine: keyed(mine), theirs: keyed(theirs), levels: 8)
    return merged.flatMap { NotedPlaces.restored($0)["x"] }
  }

  @Test func `members that each side has added to a set are there, and removed ones are absent`() {
    let merged = merge(Set([1]), [1, 2, 3], [1, 3, 4], [1, 2, 5])
    #expect(merged == json([1, 4, 5]))
  }

  @Test func `entries of a dictionary whose keys are an enum are merged by key`() {
    let merged = merge([Phase.idle: 1], ["idle", 1], ["idle", 2], ["idle", 1, "done", 3])
    #expect(merged == json(["done", 3, "idle", 2]))
    #expect(merged?.array?.count == 4)
  }

  @Test func `an array without a note is one whole`() {
    #expect(merge([1], [1], [1, 2], [1, 3]) == json([1, 2]))
  }

  @Test func `elements with identities keep changes of both sides, and the order of the other side`() {
    let base: Any = [["id": 1, "n": 0], ["id": 2, "n": 0], ["id": 3, "n": 0]]
    let mine: Any = [["id": 1, "n": 7], ["id": 2, "n": 0], ["id": 3, "n": 0]]
    let theirs: Any = [["id": 3, "n": 0], ["id": 1, "n": 0], ["id": 2, "n": 8]]
    #expect(
      merge(Entities<Row>(), base, mine, theirs)
        == json([["id": 3, "n": 0], ["id": 1, "n": 7], ["id": 2, "n": 8]])
    )
  }

  @Test func `an element that was inserted here stands behind its predecessor, and a removed one is absent`()
  {
    let base: Any = [["id": 1], ["id": 2], ["id": 3]]
    let mine: Any = [["id": 1], ["id": 9], ["id": 3]]
    let theirs: Any = [["id": 3], ["id": 1], ["id": 2]]
    #expect(merge(Entities<Row>(), base, mine, theirs) == json([["id": 3], ["id": 1], ["id": 9]]))
  }

  @Test func `of two cases of an enum it is the case of this side`() {
    #expect(
      merge(Phase.idle, ["idle": [:]], ["done": ["_0": 1]], ["loading": ["_0": 2]])
        == json(["done": ["_0": 1]])
    )
  }

  @Test func `two elements with one identity make the array one whole`() {
    let twice: Any = [["id": 1], ["id": 1]]
    #expect(merge(Entities<Row>(), [["id": 1]], twice, [["id": 1], ["id": 2]]) == json(twice))
  }
}
