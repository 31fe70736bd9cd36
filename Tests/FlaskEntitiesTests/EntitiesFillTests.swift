import Testing

@testable import FlaskEntities

/// Many elements at once: what comes of it is what comes of one after the other.
@Suite struct EntitiesFillTests {
  /// A sequence that says how many elements it has, right or wrong.
  private struct Announced<Element>: Sequence {
    let elements: [Element]
    let underestimatedCount: Int
    func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }
  }

  private struct Item<ID: Hashable>: Identifiable {
    let id: ID
    let number: Int
  }

  /// Hashes all alike.
  private struct Alike: Hashable {
    let value: Int
    func hash(into hasher: inout Hasher) {}
  }

  private func check<ID: Hashable>(_ items: [Item<ID>], sourceLocation: SourceLocation = #_sourceLocation) {
    var single: Entities<Item<ID>> = []
    for item in items { single.append(item) }
    let all = Entities(items)
    #expect(all.isWhole, sourceLocation: sourceLocation)
    #expect(all.map(\.id) == single.map(\.id), sourceLocation: sourceLocation)
    #expect(all.map(\.number) == single.map(\.number), sourceLocation: sourceLocation)
    #expect(all.indices.allSatisfy { all.index(id: all[$0].id) == $0 }, sourceLocation: sourceLocation)
    // It goes on as any other.
    var (more, same) = (all, single)
    for number in 0..<100 {
      guard let item = items.first else { break }
      more.insert(Item(id: item.id, number: -number), at: more.count / 2)
      same.insert(Item(id: item.id, number: -number), at: same.count / 2)
      more.remove(at: more.count / 3)
      same.remove(at: same.count / 3)
      if more.isEmpty { break }
    }
    #expect(more.isWhole && more.map(\.number) == same.map(\.number), sourceLocation: sourceLocation)
    #expect(all.map(\.number) == single.map(\.number), "a copy has changed", sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    0, 1, 63, 64, 65, 66, 95, 96, 97, 127, 128, 129, 1_023, 1_024, 1_025, 4_096, 5_000, 40_000,
  ])
  func `any number of elements`(count: Int) {
    check((0..<count).map { Item(id: $0, number: $0) })
    check((0..<count).map { Item(id: "\($0)", number: $0) })
  }

  @Test(arguments: [100, 1_000, 10_000])
  func `of those with one identity the last one is at the place of the first`(
    count: Int
  ) {
    check((0..<count).map { Item(id: $0 % (count - 1), number: $0) })
    check((0..<count).map { Item(id: $0 / 2, number: $0) })
    check((0..<count).map { Item(id: "\($0 % 70)", number: $0) })
    check((0..<count).map { Item(id: 0, number: $0) })
  }

  @Test func `identities with one hash are distinguished`() {
    check((0..<300).map { Item(id: Alike(value: $0), number: $0) })
    check((0..<300).map { Item(id: Alike(value: $0 % 250), number: $0) })
  }

  @Test func `an identity that is not equal to itself is always another one`() {
    let items = (0..<200).map { Item(id: $0 % 3 == 0 ? Double.nan : Double($0), number: $0) }
    let all = Entities(items)
    #expect(all.isWhole && all.map(\.number) == Array(0..<200))
  }

  @Test(arguments: [0, 3, 64, 65, 500]) func `a sequence may say that it has more, or less`(count: Int) {
    let items = (0..<count).map { Item(id: $0, number: $0) }
    for said in [0, 1, 65, 100, 10_000] {
      let all = Entities(Announced(elements: items, underestimatedCount: said))
      #expect(all.isWhole && all.map(\.number) == Array(0..<count))
    }
  }

  @Test func `what is added to an emptied collection is all there is, and a copy of before has what it had`()
  {
    var all = Entities((0..<200).map { Item(id: $0, number: $0) })
    let copy = all
    all.removeAll { _ in true }
    all.append(contentsOf: (100..<300).map { Item(id: $0, number: -$0) })
    #expect(all.isWhole && all.map(\.number) == (100..<300).map { -$0 })
    #expect(copy.isWhole && copy.map(\.number) == Array(0..<200))
  }

  @Test(arguments: [200, 190]) func `every element is released once`(identities: Int) {
    final class Counter { var alive = 0 }
    final class Content {
      let counter: Counter
      init(_ counter: Counter) {
        self.counter = counter
        counter.alive += 1
      }
      deinit { counter.alive -= 1 }
    }
    struct Held: Identifiable { let id: Int; var content: Content }
    let counter = Counter()
    do {
      var all = Entities((0..<200).map { Held(id: $0 % identities, content: Content(counter)) })
      #expect(counter.alive == identities)
      let copy = all
      all[0].content = Content(counter)
      #expect(counter.alive == identities + 1)
      withExtendedLifetime(copy) {}
    }
    #expect(counter.alive == 0)
  }
}
