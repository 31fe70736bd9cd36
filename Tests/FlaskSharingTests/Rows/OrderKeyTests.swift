import FlaskSharing
import Testing

@Suite struct OrderKeyTests {
  private func areAscending(_ keys: [String?]) -> Bool {
    zip(keys, keys.dropFirst()).allSatisfy { a, b in
      guard let a, let b else { return true }
      return OrderKey.precedes(a, b)
    }
  }

  @Test func `keys at the ends stay short`() throws {
    var last: String?
    for _ in 0..<1000 {
      let key = try #require(OrderKey.keys(after: last, before: nil, count: 1)?.first)
      #expect(areAscending([last, key]))
      #expect(key.utf8.count == 8)
      last = key
    }
    var first = last
    for _ in 0..<2000 {
      let key = try #require(OrderKey.keys(after: nil, before: first, count: 1)?.first)
      #expect(areAscending([key, first]))
      #expect(key.utf8.count == 8)
      first = key
    }
  }

  @Test func `many keys between two come in order, and leave room`() throws {
    let ends = try #require(OrderKey.keys(after: nil, before: nil, count: 2))
    for count in [1, 2, 3, 61, 62, 63, 100, 5000] {
      let keys = try #require(OrderKey.keys(after: ends[0], before: ends[1], count: count))
      #expect(keys.count == count)
      #expect(areAscending([ends[0]] + keys + [ends[1]]))
      for (a, b) in zip([ends[0]] + keys, keys + [ends[1]]) {
        #expect(OrderKey.keys(after: a, before: b, count: 1) != nil)
      }
    }
  }

  @Test(arguments: [true, false]) func `one gap takes insertions until a key has 32 bytes, never more`(
    isLower: Bool
  ) throws {
    let ends = try #require(OrderKey.keys(after: nil, before: nil, count: 2))
    var (low, high) = (ends[0], ends[1])
    var count = 0
    while let key = OrderKey.keys(after: low, before: high, count: 1)?.first {
      #expect(areAscending([low, key, high]))
      #expect(key.utf8.count <= OrderKey.limit)
      if isLower { high = key } else { low = key }
      count += 1
    }
    #expect(count > 100)
  }

  @Test func `what is no key, or out of order, has no key between`() {
    #expect(OrderKey.keys(after: "V", before: nil, count: 1) == nil)
    #expect(OrderKey.keys(after: "V000000é", before: nil, count: 1) == nil)
    #expect(OrderKey.keys(after: "V0000001", before: "V0000001", count: 1) == nil)
    #expect(OrderKey.keys(after: "V0000002", before: "V0000001", count: 1) == nil)
    #expect(OrderKey.keys(after: "zzzzzzzz", before: nil, count: 1) == nil)
    #expect(OrderKey.keys(after: nil, before: "00000000", count: 1) == nil)
    #expect(OrderKey.keys(after: "V0000001", before: nil, count: 0) == [])
  }
}
