import Testing

@testable import FlaskInspector

@Suite struct FeedVisitTests {
  @Test func `a reader that is refused was never counted`() async throws {
    let feed = Feed(capacity: 1, mostReaders: 1)
    var visit = await FeedVisit.begin(feed)
    #expect(visit != nil)
    for _ in 0..<3 { #expect(await FeedVisit.begin(feed) == nil) }
    // Whoever was refused would have ended its visit by now.
    for _ in 0..<100 { await Task.yield() }
    #expect(await FeedVisit.begin(feed) == nil)
    #expect(await !feed.isUnread)
    visit = nil
    while await !feed.isUnread { await Task.yield() }
    visit = await FeedVisit.begin(feed)
    #expect(visit != nil)
  }
}
