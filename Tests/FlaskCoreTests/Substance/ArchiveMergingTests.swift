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
      #expect(both.decks.map { $0.map(\.id) } == [[1, 3], [2, 4]])
    }

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
    let places = UnorderedPlaces { String(decoding: $0.text, as: UTF8.self) }
    let text = (try? SubstanceSerializer.data(from: state, noting: places)) ?? Data()
    guard let value = try? ArchiveValue(text: text, maximumDepth: 400) else {
      description = "?"
      return
    }
    description = String(decoding: UnorderedPlaces.restored(places.keyed(value)).text, as: UTF8.self)
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
