import FlaskFeed
import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import FlaskScopes

/// Feeds of a part of a state, and of a derived value.
@Suite struct FeedOfPartsTests {
  struct Person: Codable, Sendable, Equatable { var name = "" }

  struct Sheet: Codable, Sendable, Equatable {
    var rows: [String] = []
    var owner = Person()
  }

  struct Counts: Codable, Sendable, Equatable { var rows: Int }

  private let board = Flux.$current.withValue(Flux()) { Substance(Sheet()) }

  private func next<S>(_ feed: StateFeed<S>, after place: FeedPlace? = nil) async throws -> FeedEvent {
    try #require(await feed.next(after: place))
  }

  private func text(_ event: FeedEvent) -> String { String(decoding: event.json, as: UTF8.self) }

  @Test func `a scope and a derived value are followed as a state is`() async throws {
    let owner = StateFeed(of: board.scope(\.owner).values())
    let counts = StateFeed(of: Derived { [board] in Counts(rows: board.rows.count) }.values())
    let (firstOwner, firstCounts) = (try await next(owner), try await next(counts))
    #expect(text(firstOwner) == #"{"name":""}"#)
    #expect(text(firstCounts) == #"{"rows":0}"#)
    board.mix { $0.owner.name = "Ada" }
    board.mix { $0.rows = ["a", "b"] }
    let (secondOwner, secondCounts) = (
      try await next(owner, after: firstOwner.place), try await next(counts, after: firstCounts.place)
    )
    #expect(
      text(secondOwner)
        == #"[{"op":"test","path":"/name","value":""},{"op":"replace","path":"/name","value":"Ada"}]"#
    )
    #expect(
      text(secondCounts)
        == #"[{"op":"test","path":"/rows","value":0},{"op":"replace","path":"/rows","value":2}]"#
    )
    #expect([firstCounts.kind, secondCounts.kind] == [.state, .patch])
  }
}
