import FlaskEntities
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures

/// A state of which not every mixture of keys is one.
private struct Switched: FlaskState {
  enum Mode: Codable, Equatable {
    case off
    case slow(Int)
    case fast(Int)
  }

  var mode = Mode.off
  var text = ""
}

extension ArchivesTests {
  /// What becomes of states that were changed in two places.
  @Suite struct ArchiveMergingTests {
    /// Both begin with `base`, and change without having heard of each other.
    private func merged<S: FlaskState>(
      _ base: (inout S) -> Void,
      mine: (inout S) -> Void,
      theirs: (inout S) -> Void
    ) throws -> S {
      var common = S()
      base(&common)
      var (here, there) = (common, common)
      mine(&here)
      theirs(&there)
      let shape = ArchiveShape(initial: S())
      let archives = try [common, here, there].map { try shape.encode($0, for: "a") }
      let merged = try shape.merge(base: archives[0], mine: archives[1], theirs: archives[2], for: "a")
      return try shape.decode(merged, for: "a").state
    }

    @Test func `if a mixture of all keys is no state, only the outermost keys are mixed`() throws {
      let state: Switched = try merged {
        $0.text = "base"
      } mine: {
        $0.mode = .slow(1)
      } theirs: {
        $0.mode = .fast(2)
        $0.text = "theirs"
      }
      #expect(state.mode == .slow(1))
      #expect(state.text == "theirs")
    }

    @Test func `entries of dictionaries stay, whatever their keys are`() throws {
      let ids = (0..<3).map { _ in UUID() }
      let page = try #require(URL(string: "https://example.com/b"))
      let state: MergedEntries = try merged {
        $0.byKind = [.a: ["x": 1], .b: ["y": 1]]
        $0.byID = [ids[0]: 0]
        $0.byName = [MergedName(rawValue: "gone"): [.a: 1], MergedName(rawValue: "kept"): [.a: 1]]
      } mine: {
        $0.byKind[.a]?["mine"] = 2
        $0.byKind[.c] = ["c": 3]
        $0.byID[ids[1]] = 1
        $0.byPage[page] = 5
        $0.byName[MergedName(rawValue: "gone")] = nil
        $0.byName[MergedName(rawValue: "kept")]?[.b] = 2
      } theirs: {
        $0.byKind[.a]?["theirs"] = 3
        $0.byKind[.b] = nil
        $0.byID[ids[2]] = 2
        $0.byID[ids[0]] = 7
        $0.byName[MergedName(rawValue: "kept")]?[.c] = 3
        $0.byNumber[2.5] = "half"
      }
      #expect(state.byKind == [.a: ["x": 1, "mine": 2, "theirs": 3], .c: ["c": 3]])
      #expect(state.byID == [ids[0]: 7, ids[1]: 1, ids[2]: 2])
      #expect(state.byPage == [page: 5])
      #expect(state.byName == [MergedName(rawValue: "kept"): [.a: 1, .b: 2, .c: 3]])
      #expect(state.byNumber == [2.5: "half"])
    }

    @Test func `members of sets stay, and removed members are absent`() throws {
      let state: MergedMembers = try merged {
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

    @Test func `elements of Entities are merged by identity, in the order of both`() throws {
      let state: MergedDeck = try merged {
        $0.cards = Entities((0..<6).map { MergedCard(id: $0, title: "\($0)") })
      } mine: {
        $0.cards.append(MergedCard(id: 10, title: "mine"))
        $0.cards.insert(MergedCard(id: 11, title: "mine, first"), at: 0)
        $0.cards[id: 1]?.title = "one"
        $0.cards[id: 2]?.marks.insert(.a)
        $0.cards.remove(id: 3)
        $0.cards.move(id: 5, to: 1)
        $0.lists["x"] = [MergedCard(id: 1, title: "x")]
      } theirs: {
        $0.cards.append(MergedCard(id: 20, title: "theirs"))
        $0.cards.remove(id: 4)
        $0.cards[id: 1]?.count = 7
        $0.cards[id: 2]?.marks.insert(.b)
        $0.cards[id: 3]?.title = "changed in vain"
        $0.lists["y"] = [MergedCard(id: 2, title: "y")]
      }
      #expect(state.cards.map(\.id) == [11, 5, 0, 1, 2, 20, 10])
      #expect(state.cards[id: 1] == MergedCard(id: 1, title: "one", count: 7))
      #expect(state.cards[id: 2]?.marks == [.a, .b])
      #expect(Set(state.lists.keys) == ["x", "y"])
      #expect(state.lists["y"]?.map(\.id) == [2])
    }

    @Test func `Entities in an array are one value with it`() throws {
      let state: MergedPile = try merged {
        $0.decks = [[MergedCard(id: 1, title: "1")], [MergedCard(id: 2, title: "2")]]
      } mine: {
        $0.decks[0].append(MergedCard(id: 3, title: "mine"))
      } theirs: {
        $0.decks.insert([MergedCard(id: 4, title: "theirs")], at: 0)
      }
      #expect(state.decks.map { $0.map(\.id) } == [[1, 3], [2]])
      let both: MergedPile = try merged {
        $0.decks = [[MergedCard(id: 1, title: "1")], [MergedCard(id: 2, title: "2")]]
      } mine: {
        $0.decks[0].append(MergedCard(id: 3, title: "mine"))
      } theirs: {
        $0.decks[1].append(MergedCard(id: 4, title: "theirs"))
      }
      #expect(both.decks.map { $0.map(\.id) } == [[1, 3], [2]])
    }

    @Test func `payloads, nested containers and arrays beside them are what they are`() throws {
      let state: MergedOdd = try merged {
        $0.tags = .some([1])
        $0.list = [3, 1, 1, 2]
        $0.mixed = [.map([.red: 1]), .list([3, 1, 1, 2])]
        $0.boards = [Self.id: MergedDeck(), UUID(): MergedDeck()]
      } mine: {
        $0.tags = .some([1, 2])
        $0.nested.insert(7)
        $0.count = 1
        $0.phase = .loading
        $0.boards[Self.id]?.cards.append(MergedCard(id: 1, title: "mine"))
        $0.shelf[id: 1]?.cards.append(MergedCard(id: 1, title: "mine"))
      } theirs: {
        $0.tags = .some([1, 3])
        $0.names["theirs"] = 1
        $0.phase = .done(2)
        $0.boards[Self.id]?.cards.append(MergedCard(id: 2, title: "theirs"))
        $0.shelf[id: 1]?.cards.append(MergedCard(id: 2, title: "theirs"))
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

    @Test func `what only another version knows of an element stays`() throws {
      let (newer, older) = (ArchiveShape(initial: MergedNoted()), ArchiveShape(initial: MergedPlain()))
      var noted = MergedNoted()
      noted.items = [MergedNoted.Item(id: 1, note: "kept"), MergedNoted.Item(id: 2, note: "kept")]
      let theirs = try newer.encode(noted, for: "a")
      var plain = try older.decode(theirs, for: "a").state
      let base = try older.encode(plain, for: "a")
      plain.count = 1
      plain.items[id: 2]?.title = "changed"
      let mine = try older.encode(plain, for: "a")
      let merged = try older.merge(base: base, mine: mine, theirs: theirs, for: "a")
      let state = try newer.decode(merged, for: "a").state
      #expect(state.items.map(\.note) == ["kept", "kept"])
      #expect(state.items[id: 2]?.title == "changed")
      #expect(try older.decode(merged, for: "a").state.count == 1)
    }

    @Test func `a journal finds the entities of a nested container`() async {
      let place = MemoryArchive()
      do {
        let odd = Substance<MergedOdd>(name: "odd", archive: true, in: place)
        odd.change {
          $0.prop.list = [3, 1]
          $0.prop.inner = Entities(
            (0..<2_000).map { MergedCard(id: $0, title: "a title of some length \($0)") }
          )
        }
        #expect(await odd.archiveNow())
        odd.change { $0.prop.inner.append(MergedCard(id: 5_000, title: "new")) }
        #expect(await odd.archiveNow())
        odd.change { $0.prop.count = 7 }
        #expect(await odd.archiveNow())
      }
      let again = Substance<MergedOdd>(name: "odd", archive: true, in: place)
      #expect(again.state.inner.count == 2_001)
      #expect(again.state.count == 7)
      #expect(place.keys(withPrefix: "") == ["Fx.1.odd"])
    }

    private static let id = UUID()

    @Test func `texts of a user that look like marks stay what they are`() throws {
      let state: Profile = try merged {
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
