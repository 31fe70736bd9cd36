import FlaskEntities
import FlaskMerging
import Foundation
import Testing

@testable import FlaskArchive
@testable import FlaskCore

extension ArchivesTests {
  /// What becomes of collections that two processes have changed.
  @Suite struct ArchiveMergingTests {
    private let shared = SharedArchive()

    /// Both begin with `base`, and change without having heard of each other; then both save.
    private func merged<S: FlaskState>(
      _ base: @escaping @Sendable (inout S) -> Void,
      mine: @escaping @Sendable (inout S) -> Void,
      theirs: @escaping @Sendable (inout S) -> Void
    ) -> S {
      let (here, there) = (shared.group(), shared.group())
      let first = Substance<S>(name: "a", archive: true, in: here)
      first.change { base(&$0.prop) }
      #expect(here.archiveNow())
      let second = Flux.$current.withValue(Flux()) { Substance<S>(name: "a", archive: true, in: there) }
      first.change { mine(&$0.prop) }
      second.change { theirs(&$0.prop) }
      #expect(there.archiveNow())
      #expect(here.archiveNow())
      shared.settle(here, there)
      #expect("\(PlainText(first.state))" == "\(PlainText(second.state))")
      let last = Substance<S>(name: "a", archive: true, in: shared.group())
      #expect("\(PlainText(first.state))" == "\(PlainText(last.state))")
      return first.state
    }

    @Test func `entries of dictionaries stay, whatever their keys are`() throws {
      let ids = (0..<3).map { _ in UUID() }
      let page = try #require(URL(string: "https://example.com/b"))
      let state: Entries = merged {
        $0.byKind = [.a: ["x": 1], .b: ["y": 1]]
        $0.byID = [ids[0]: 0]
        $0.byName = [Name(rawValue: "gone"): [.a: 1], Name(rawValue: "kept"): [.a: 1]]
      } mine: {
        $0.byKind[.a]?["mine"] = 2
        $0.byKind[.c] = ["c": 3]
        $0.byID[ids[1]] = 1
        $0.byPage[page] = 5
        $0.byName[Name(rawValue: "gone")] = nil
        $0.byName[Name(rawValue: "kept")]?[.b] = 2
      } theirs: {
        $0.byKind[.a]?["theirs"] = 3
        $0.byKind[.b] = nil
        $0.byID[ids[2]] = 2
        $0.byID[ids[0]] = 7
        $0.byName[Name(rawValue: "kept")]?[.c] = 3
        $0.byNumber[2.5] = "half"
      }
      #expect(state.byKind == [.a: ["x": 1, "mine": 2, "theirs": 3], .c: ["c": 3]])
      #expect(state.byID == [ids[0]: 7, ids[1]: 1, ids[2]: 2])
      #expect(state.byPage == [page: 5])
      #expect(state.byName == [Name(rawValue: "kept"): [.a: 1, .b: 2, .c: 3]])
      #expect(state.byNumber == [2.5: "half"])
    }

    @Test func `members of sets stay, and those that were removed are gone`() {
      let state: Members = merged {
        $0.tags = ["a", "b", "c"]
        $0.sets = [[1], [2, 3]]
        $0.inside = [.a: [1, 2]]
        $0.maybe = [1]
      } mine: {
        $0.tags.formUnion(["mine"])
        $0.tags.remove("a")
        $0.sets.insert([4])
        $0.inside[.a]?.insert(3)
        $0.maybe?.insert(2)
      } theirs: {
        $0.tags.formUnion(["theirs"])
        $0.tags.remove("b")
        $0.sets.remove([1])
        $0.inside[.a]?.remove(1)
        $0.maybe?.insert(3)
      }
      #expect(state.tags == ["c", "mine", "theirs"])
      #expect(state.sets == [[2, 3], [4]])
      #expect(state.inside == [.a: [2, 3]])
      #expect(state.maybe == [1, 2, 3])
    }

    @Test func `elements of Entities are merged by identity, in the order of both`() {
      let state: Deck = merged {
        $0.cards = Entities((0..<6).map { Card(id: $0, title: "\($0)") })
      } mine: {
        $0.cards.append(Card(id: 10, title: "mine"))
        $0.cards.insert(Card(id: 11, title: "mine, first"), at: 0)
        $0.cards[id: 1]?.title = "one"
        $0.cards[id: 2]?.marks.insert(.a)
        $0.cards.remove(id: 3)
        $0.cards.move(id: 5, to: 1)
        $0.lists["x"] = [Card(id: 1, title: "x")]
      } theirs: {
        $0.cards.append(Card(id: 20, title: "theirs"))
        $0.cards.remove(id: 4)
        $0.cards[id: 1]?.count = 7
        $0.cards[id: 2]?.marks.insert(.b)
        $0.cards[id: 3]?.title = "changed in vain"
        $0.lists["y"] = [Card(id: 2, title: "y")]
      }
      #expect(state.cards.map(\.id) == [11, 5, 0, 1, 2, 20, 10])
      #expect(state.cards[id: 1] == Card(id: 1, title: "one", count: 7))
      #expect(state.cards[id: 2]?.marks == [.a, .b])
      #expect(Set(state.lists.keys) == ["x", "y"])
      #expect(state.lists["y"]?.map(\.id) == [2])
    }

    @Test func `Entities in an array are one value with it`() {
      let state: Pile = merged {
        $0.decks = [[Card(id: 1, title: "1")], [Card(id: 2, title: "2")]]
      } mine: {
        $0.decks[0].append(Card(id: 3, title: "mine"))
      } theirs: {
        $0.decks.insert([Card(id: 4, title: "theirs")], at: 0)
      }
      #expect(state.decks.map { $0.map(\.id) } == [[1, 3], [2]])
      let both: Pile = merged {
        $0.decks = [[Card(id: 1, title: "1")], [Card(id: 2, title: "2")]]
      } mine: {
        $0.decks[0].append(Card(id: 3, title: "mine"))
      } theirs: {
        $0.decks[1].append(Card(id: 4, title: "theirs"))
      }
      #expect(both.decks.map { $0.map(\.id) } == [[1, 3], [2]])
    }

    @Test func `payloads, nested containers and arrays beside them are what they are`() {
      let state: Odd = merged {
        $0.tags = .some([1])
        $0.list = [3, 1, 1, 2]
        $0.mixed = [.map([.red: 1]), .list([3, 1, 1, 2])]
        $0.boards = [Self.id: Deck(), UUID(): Deck()]
      } mine: {
        $0.tags = .some([1, 2])
        $0.nested.insert(7)
        $0.count = 1
        $0.phase = .loading
        $0.boards[Self.id]?.cards.append(Card(id: 1, title: "mine"))
        $0.shelf[id: 1]?.cards.append(Card(id: 1, title: "mine"))
      } theirs: {
        $0.tags = .some([1, 3])
        $0.names["theirs"] = 1
        $0.phase = .done(2)
        $0.boards[Self.id]?.cards.append(Card(id: 2, title: "theirs"))
        $0.shelf[id: 1]?.cards.append(Card(id: 2, title: "theirs"))
      }
      #expect(state.tags == .some([1, 2, 3]))
      #expect(state.nested == [7])
      #expect(state.list == [3, 1, 1, 2])
      #expect(state.mixed == [.map([.red: 1]), .list([3, 1, 1, 2])])
      // Of two cases mine is kept, and nothing else is lost by it.
      #expect(state.phase == .loading)
      #expect(state.names == ["theirs": 1])
      #expect(state.boards[Self.id]?.cards.map(\.id) == [2, 1])
      #expect(state.shelf[id: 1]?.cards.map(\.id) == [2, 1])
    }

    @Test func `what only another version knows of an element stays`() async {
      let (here, there) = (shared.group(), shared.group())
      let newer = Flux.$current.withValue(Flux()) { Substance<Noted>(name: "a", archive: true, in: there) }
      newer.change { $0.prop.items = [Noted.Item(id: 1, note: "kept"), Noted.Item(id: 2, note: "kept")] }
      #expect(there.archiveNow())
      let older = Flux.$current.withValue(Flux()) { Substance<Plain>(name: "a", archive: true, in: here) }
      older.change {
        $0.prop.count = 1
        $0.prop.items[id: 2]?.title = "changed"
      }
      #expect(here.archiveNow())
      shared.settle(here, there)
      #expect(newer.state.items.map(\.note) == ["kept", "kept"])
      #expect(newer.state.items[id: 2]?.title == "changed")
    }

    @Test func `a journal finds the entities of a nested container`() async {
      let place = MemoryArchive()
      do {
        let odd = Substance<Odd>(name: "odd", archive: true, in: place)
        odd.change {
          $0.prop.list = [3, 1]
          $0.prop.inner = Entities((0..<2_000).map { Card(id: $0, title: "a title of some length \($0)") })
        }
        #expect(await odd.archiveNow())
        odd.change { $0.prop.inner.append(Card(id: 5_000, title: "new")) }
        #expect(await odd.archiveNow())
        odd.change { $0.prop.count = 7 }
        #expect(await odd.archiveNow())
      }
      let again = Substance<Odd>(name: "odd", archive: true, in: place)
      #expect(again.state.inner.count == 2_001)
      #expect(again.state.count == 7)
      #expect(place.keys(withPrefix: "") == ["Fx.1.odd"])
    }

    private static let id = UUID()

    @Test func `texts of a user that look like marks stay what they are`() {
      let state: Profile = merged {
        $0.scores = ["\0members": 1, "\0entries": 2]
      } mine: {
        $0.scores["\0members"] = 3
      } theirs: {
        $0.scores["\0entries"] = nil
      }
      #expect(state.scores == ["\0members": 3])
    }
  }
}

/// A state as a text that is the same for equal states.
private struct PlainText: CustomStringConvertible {
  let description: String

  init(_ state: some Encodable) {
    let places = NotedPlaces { String(decoding: $0.text, as: UTF8.self) }
    let text = (try? SubstanceSerializer.data(from: state, noting: places)) ?? Data()
    guard let value = try? ArchiveValue(text: text, maximumDepth: 400) else {
      description = "?"
      return
    }
    description = String(decoding: NotedPlaces.restored(places.keyed(value)).text, as: UTF8.self)
  }
}

private enum Kind: String, Codable { case a, b, c }

private struct Name: RawRepresentable, Codable, Hashable { var rawValue: String }

private struct Card: FlaskState, Identifiable, Equatable {
  var id = 0
  var title = ""
  var count = 0
  var marks: Set<Kind> = []
}

private struct Entries: FlaskState {
  var byKind: [Kind: [String: Int]] = [:]
  var byID: [UUID: Int] = [:]
  var byPage: [URL: Int] = [:]
  var byName: [Name: [Kind: Int]] = [:]
  var byNumber: [Double: String] = [:]
}

private struct Members: FlaskState {
  var tags: Set<String> = []
  var sets: Set<Set<Int>> = []
  var inside: [Kind: Set<Int>] = [:]
  var maybe: Set<Int>?
}

private struct Deck: FlaskState {
  var cards: Entities<Card> = []
  var lists: [String: Entities<Card>] = [:]
}

private struct Pile: FlaskState { var decks: [Entities<Card>] = [] }

/// States that encode themselves in other ways than their properties lie.
private struct Odd: FlaskState, Codable {
  enum Tags: Codable, Equatable { case none, some(Set<Int8>) }
  enum Phase: Codable, Equatable { case idle, loading, done(Int) }
  enum Color: String, Codable { case red }

  enum Either: Codable, Equatable {
    case map([Color: Int])
    case list([Int8])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let list = try? container.decode([Int8].self) {
        self = .list(list)
      } else {
        self = .map(try container.decode([Color: Int].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .map(let map): try container.encode(map)
      case .list(let list): try container.encode(list)
      }
    }
  }

  enum Key: CodingKey { case tags, items, mixed, phase, names, boards, shelf, count, meta }
  enum Inner: CodingKey { case items, set }

  var tags = Tags.none
  var list: [Int8] = []
  var mixed: [Either] = []
  var phase = Phase.idle
  var names: [String: Int] = [:]
  var boards: [UUID: Deck] = [:]
  var shelf: Entities<Board> = [Board(id: 1)]
  var count = 0
  var nested: Set<Int8> = []
  var inner: Entities<Card> = []

  struct Board: FlaskState, Identifiable {
    var id = 0
    var cards: Entities<Card> = []
  }

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    tags = try container.decode(Tags.self, forKey: .tags)
    list = try container.decode([Int8].self, forKey: .items)
    mixed = try container.decode([Either].self, forKey: .mixed)
    phase = try container.decode(Phase.self, forKey: .phase)
    names = try container.decode([String: Int].self, forKey: .names)
    boards = try container.decode([UUID: Deck].self, forKey: .boards)
    shelf = try container.decode(Entities<Board>.self, forKey: .shelf)
    count = try container.decode(Int.self, forKey: .count)
    let meta = try container.nestedContainer(keyedBy: Inner.self, forKey: .meta)
    nested = try meta.decode(Set<Int8>.self, forKey: .set)
    inner = try meta.decode(Entities<Card>.self, forKey: .items)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(tags, forKey: .tags)
    try container.encode(list, forKey: .items)
    try container.encode(mixed, forKey: .mixed)
    try container.encode(phase, forKey: .phase)
    try container.encode(names, forKey: .names)
    try container.encode(boards, forKey: .boards)
    try container.encode(shelf, forKey: .shelf)
    try container.encode(count, forKey: .count)
    var meta = container.nestedContainer(keyedBy: Inner.self, forKey: .meta)
    try meta.encode(nested, forKey: .set)
    try meta.encode(inner, forKey: .items)
  }
}

private struct Noted: FlaskState {
  struct Item: FlaskState, Identifiable {
    var id = 0
    var title = ""
    var note: String?
  }

  var items: Entities<Item> = []
}

private struct Plain: FlaskState {
  struct Item: FlaskState, Identifiable {
    var id = 0
    var title = ""
  }

  var items: Entities<Item> = []
  var count = 0
}
