import FlaskCore
import FlaskEntities
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive

/// Each state of today has properties that the text of an older program lacks.
@Suite struct AddedPropertyTests {
  struct Card: FlaskState, Identifiable, Hashable {
    var id = 0
    var title = "untitled"
    var tags = ["new"]
    var link = URL(fileURLWithPath: "/tmp")
    var made = Date(timeIntervalSinceReferenceDate: 5)
    var bytes = Data([1, 2])
    var price: Decimal = 1
  }

  enum Phase: Codable, Hashable {
    case idle
    case shown(Card)
    case twice(first: Card, second: Card)
  }

  enum Color: String, Codable { case red, blue }

  struct Holder<Content: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    var content: Content
    var other = 3
  }

  @Test func `Of elements, entries, contents and payloads`() throws {
    let card = #"{"id":7}"#
    var known = Card()
    known.id = 7
    try expect([known], "[\(card)]", initially: [])
    try expect([[known], []], "[[\(card)],[]]", initially: [])
    try expect(Set([known]), "[\(card)]", initially: [])
    try expect(Entities([known]), "[\(card)]", initially: [])
    try expect(["a": known], #"{"a":\#(card)}"#, initially: [:])
    try expect([3: known], #"{"3":\#(card)}"#, initially: [:])
    try expect([Color.red: known], #"["red",\#(card)]"#, initially: [:])
    try expect(Optional(known), card, initially: nil)
    try expect(Optional([known]), "[\(card)]", initially: nil)
    try expect(Phase.shown(known), #"{"shown":{"_0":\#(card)}}"#, initially: .idle)
    try expect(
      Phase.twice(first: known, second: known),
      #"{"twice":{"first":\#(card),"second":\#(card)}}"#,
      initially: .idle
    )
    try expect(Holder(content: known), #"{"content":\#(card),"other":3}"#, initially: Holder(content: Card()))
    try expect([Holder(content: known)], #"[{"content":\#(card),"other":3}]"#, initially: [])
  }

  @Test func `What is there is kept, in the form that JSON has for it`() throws {
    let text = """
      [{"id":1,"title":"t","tags":[],"link":"https://a.org/b","made":9,"bytes":"AwQ=","price":0.10}, {"id":2}]
      """
    var first = Card(id: 1, title: "t", tags: [], link: try #require(URL(string: "https://a.org/b")))
    (first.made, first.bytes, first.price) = (Date(timeIntervalSinceReferenceDate: 9), Data([3, 4]), 0.1)
    var second = Card()
    second.id = 2
    try expect([first, second], text, initially: [])
  }

  @Test func `What the initial state has at a path of objects comes first`() throws {
    var initial = Card()
    initial.title = "mine"
    var expected = initial
    expected.id = 7
    try expect(expected, #"{"id":7}"#, initially: initial)
    try expect(Optional(expected), #"{"id":7}"#, initially: initial)
    try expect(["a": expected], #"{"a":{"id":7}}"#, initially: ["a": initial])
  }

  @Test func `A key that is renamed, a class and a wrapper are found, too`() throws {
    struct Renamed: FlaskState, Equatable {
      var name = "n"
      var size = 1
      enum CodingKeys: String, CodingKey { case name = "the_name", size }
    }
    try expect([Renamed()], #"[{"size":1}]"#, initially: [])
    try expect([Derived()], #"[{"super":{},"b":5}]"#, initially: [])
    try expect([Derived()], #"[{"super":{"a":1}}]"#, initially: [])
    try expect([Wrapped()], #"[{}]"#, initially: [])
  }

  @Test func `A type that says no initial value is named, with its key and what can be done`() {
    struct Plain: Codable, Sendable, Equatable {
      var id: Int
      var title: String
    }
    let error = #expect(throws: ArchiveError.self) {
      try read([Plain].self, #"[{"id":1}]"#, initially: [])
    }
    #expect(
      error
        == .doesNotFit(
          reason: """
            content.Index 0.title: it is missing, and no initial value of it is known from Plain: let Plain be a FlaskState, \
            whose init() says one, or raise the version of the archive, and put it in by the migration
            """
        )
    )
    let other = #expect(throws: ArchiveError.self) {
      try read(Phase.self, #"{"twice":{"first":{}}}"#, initially: .idle)
    }
    #expect(
      other
        == .doesNotFit(
          reason: """
            content.twice.second: it is missing, and no initial value of it is known from Phase: raise the version of the \
            archive, and put it in by the migration
            """
        )
    )
  }

  @Test func `A missing payload comes from the initial state's, if that is of the same case`() throws {
    let initial = Phase.twice(first: Card(id: 1), second: Card(id: 2))
    try expect(
      Phase.twice(first: Card(id: 9), second: Card(id: 2)),
      #"{"twice":{"first":{"id":9}}}"#,
      initially: initial
    )
  }

  @Test func `A value of another type is no missing one`() {
    #expect(throws: ArchiveError.self) { try read([Card].self, #"[{"id":"1"}]"#, initially: []) }
    #expect(throws: ArchiveError.self) { try read([Card].self, #"[{"id":1,"title":null}]"#, initially: []) }
    #expect(throws: ArchiveError.self) { try read([Card].self, #"[{"link":""}]"#, initially: []) }
  }

  @Test func `Elements that are skipped when they do not fit stay so`() throws {
    struct Lossy: FlaskState, Equatable {
      struct Anything: Codable {}
      var ids: [Int] = []
      var added = 1
      init() {}
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        added = try container.decode(Int.self, forKey: .added)
        var elements = try container.nestedUnkeyedContainer(forKey: .ids)
        while !elements.isAtEnd {
          let id = try? elements.decode(Int.self)
          if let id { ids.append(id) } else { _ = try elements.decode(Anything.self) }
        }
      }
    }
    var expected = Lossy()
    expected.ids = [1, 2]
    try expect(expected, #"{"ids":[1,{},2]}"#, initially: Lossy())
  }

  @Test func `Many elements are completed in one pass`() throws {
    let text = "[\((0..<20_000).map { #"{"id":\#($0)}"# }.joined(separator: ","))]"
    let cards = try read(Entities<Card>.self, text, initially: [])
    #expect(cards.count == 20_000)
    #expect(cards.allSatisfy { $0.title == "untitled" })
  }

  func expect<Content: Codable & Sendable & Equatable>(
    _ expected: Content,
    _ text: String,
    initially initial: Content,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let found = try read(Content.self, text, initially: initial)
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  func read<Content: Codable & Sendable & Equatable>(
    _ type: Content.Type,
    _ text: String,
    initially initial: Content
  ) throws -> Content {
    let archive = ArchiveFormat.wrap(
      Data(#"{"content":\#(text)}"#.utf8),
      as: ArchiveHeader(stateVersion: 0, key: "k")
    )
    let (state, isCurrent) = try ArchiveShape(initial: Holder(content: initial)).decode(archive, for: "k")
    #expect(!isCurrent)
    #expect(state.other == 3)
    return state.content
  }
}

private class Base: Codable, @unchecked Sendable {
  var a = 1
  required init() {}
}

private final class Derived: Base, FlaskState, Equatable, @unchecked Sendable {
  var b = 5
  enum CodingKeys: CodingKey { case b }
  required init() { super.init() }
  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    b = try container.decode(Int.self, forKey: .b)
    try super.init(from: container.superDecoder())
  }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(b, forKey: .b)
    try super.encode(to: container.superEncoder())
  }
  static func == (a: Derived, b: Derived) -> Bool { a.a == b.a && a.b == b.b }
}

@propertyWrapper private struct Clamped: Codable, Equatable, Sendable {
  var wrappedValue: Int
  init(wrappedValue: Int) { self.wrappedValue = min(wrappedValue, 10) }
}

private struct Wrapped: FlaskState, Equatable {
  @Clamped var volume = 20
}
