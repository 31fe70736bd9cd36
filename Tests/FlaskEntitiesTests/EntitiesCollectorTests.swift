import Testing

@testable import FlaskEntities

/// Which entities an encoding or a decoding has met.
@Suite struct EntitiesCollectorTests {
  private enum Key: String, CodingKey { case rows, marks }

  private let collector = EntitiesCollector()

  @Test func `Once two entities were at one place, none are relied on`() {
    collector.add(EntitiesContent(), at: [Key.rows])
    #expect(!collector.isAmbiguous)
    for key in [Key.rows, .marks] { collector.add(EntitiesContent(), at: [key]) }
    #expect(collector.isAmbiguous)
    #expect(collector.found.count == 2)
  }

  @Test func `Entities that belong to an element of others are left out`() {
    collector.enter()
    collector.enter()
    collector.addOutermost(EntitiesContent(), at: [Key.rows], isWhole: true)
    #expect(collector.found.isEmpty)
    collector.leave()
    collector.addOutermost(EntitiesContent(), at: [Key.rows], isWhole: true)
    #expect(Array(collector.found.keys) == [[.key("rows")]])
  }
}
