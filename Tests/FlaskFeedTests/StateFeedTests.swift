import FlaskCore
import FlaskDerived
import FlaskFeed
import FlaskScopes
import Foundation
import Testing

@testable import FlaskInsight

@Suite struct StateFeedTests {
  private let board = Flux.$current.withValue(Flux()) { Substance(Sheet()) }

  @Test func `it begins with the state, and then tells each change`() async throws {
    let feed = StateFeed(of: board)
    var document = Document(feed)
    try await document.next()
    #expect(document.kinds == [.state])
    board.mix { $0.rows.append("one") }
    try await document.next()
    board.mix { $0.title = "new" }
    try await document.next()
    #expect(document.kinds == [.state, .patch, .patch])
    #expect(try document.sheet == Sheet(title: "new", rows: ["one"]))
  }

  @Test func `who is slower gets several as one, and who is far behind the state`() async throws {
    let feed = StateFeed(of: board, limit: 3)
    var (quick, slow, slowest) = (Document(feed), Document(feed), Document(feed))
    for reader in 0..<3 {
      switch reader {
      case 0: try await quick.next()
      case 1: try await slow.next()
      default: try await slowest.next()
      }
    }
    for number in 1...5 {
      board.mix { $0.rows.append("\(number)") }
      try await quick.next()
      if number == 2 { try await slow.next() }
    }
    try await slow.next()
    try await slowest.next()
    #expect(quick.kinds == [.state] + Array(repeating: .patch, count: 5))
    #expect(slow.kinds == [.state, .patch, .patch])
    #expect(slowest.kinds == [.state, .state])
    for document in [quick, slow, slowest] { #expect(try document.sheet == board.state) }
  }

  @Test func `bytes are bounded, too`() async throws {
    let feed = StateFeed(of: board, byteLimit: 200)
    var (quick, slow) = (Document(feed), Document(feed))
    try await quick.next()
    try await slow.next()
    for number in 0..<4 {
      board.mix { $0.title = String(repeating: "\(number)", count: 60) }
      try await quick.next()
    }
    try await slow.next()
    #expect(slow.kinds == [.state, .state])
    #expect(try slow.sheet == board.state)
  }

  @Test func `after a reconnect it goes on, and a place of another feed begins anew`() async throws {
    let feed = StateFeed(of: board)
    var document = Document(feed)
    try await document.next()
    board.mix { $0.rows = ["missed"] }
    let text = try "\(#require(document.place))"
    var again = Document(feed, after: FeedPlace(text), value: document.value)
    try await again.next()
    #expect(again.kinds == [.patch])
    #expect(try again.sheet == board.state)
    let other = StateFeed(of: board)
    var lost = Document(other, after: FeedPlace(text))
    try await lost.next()
    #expect(lost.kinds == [.state])
    for text in ["", "-", "a", "a-", "-1", "zz-1-1", "!-1", "\(UInt64.max)0-1"] {
      #expect(FeedPlace(text) == nil)
    }
  }

  @Test func `a scope and a derived value are followed as a state is`() async throws {
    let scope = StateFeed(of: board.scope(\.owner).values())
    let longest = StateFeed(of: Derived { [board] in Counts(rows: board.rows.count) }.values())
    var (owner, counts) = (Document(scope), Document(longest))
    try await owner.next()
    try await counts.next()
    board.mix { $0.owner.name = "Ada" }
    board.mix { $0.rows = ["a", "b"] }
    try await owner.next()
    try await counts.next()
    #expect(owner.value["name"]?.string == "Ada")
    #expect(counts.value["rows"]?.int == 2)
    #expect(counts.kinds == [.state, .patch])
  }

  @Test func `what is secret goes out in no event, and its changes are none`() async throws {
    let feed = StateFeed(of: board, redacting: [.keyPath(\Person.phone)])
    var document = Document(feed)
    board.mix { $0.owner = Person(name: "Ada", phone: "555-secret", key: Key(text: "secret-key")) }
    try await document.next()
    board.mix { $0.owner.phone = "556-secret" }
    board.mix { $0.owner.key.text = "other-secret" }
    board.mix { $0.guests = ["x": Person(name: "Bob", phone: "557-secret")] }
    board.mix { $0.title = "end" }
    while document.value["title"]?.string != "end" { try await document.next() }
    #expect(document.value["guests"]?["x"]?["name"]?.string == "Bob")
    #expect(document.value["owner"]?["phone"]?.string == RedactionRules.mark)
    for text in document.texts { #expect(!text.contains("secret"), "\(text)") }
  }

  @Test func `it ends with the substance, and a cancelled reader with its task`() async throws {
    var gone: Substance<Sheet>? = Substance(Sheet())
    let feed = try StateFeed(of: #require(gone))
    var document = Document(feed)
    try await document.next()
    gone = nil
    #expect(try await document.tryNext() == nil)
    let other = StateFeed(of: board)
    let reading = Task { () -> Int in
      var count = 0
      for try await _ in other.events() { count += 1 }
      return count
    }
    reading.cancel()
    #expect(try await reading.value <= 1)
  }

  @Test func `a feed that nobody holds follows nothing`() async throws {
    weak var old: StateFeed<Sheet>?
    do {
      let feed = StateFeed(of: board)
      var document = Document(feed)
      try await document.next()
      old = feed
    }
    while old != nil { await Task.yield() }
    board.mix { $0.title = "later" }
  }

  @Test func `what cannot be encoded is thrown, and told once it can be`() async throws {
    let level = Flux.$current.withValue(Flux()) { Substance(Level()) }
    let feed = StateFeed(of: level)
    var document = Document(feed)
    try await document.next()
    level.mix { $0.height = .nan }
    await #expect(throws: EncodingError.self) { while true { try await document.next() } }
    level.mix { $0.height = 2 }
    while document.value["height"]?.double != 2 { try? await document.next() }
    #expect(document.value["height"]?.double == 2)
  }

  @Test func `beside a thread that mixes every reader ends with the same document`() async throws {
    for limit in [0, 2, 1_000] {
      let feed = StateFeed(of: board, limit: limit)
      let board = board
      async let mixing: Void = withCheckedContinuation { continuation in
        Thread {
          for number in 0..<300 {
            board.mix(isolation: nil) {
              $0.rows.append("\(number)")
              if number % 7 == 0 { $0.rows.removeFirst() }
              $0.guests["\(number % 5)"] = Person(name: "\(number)")
            }
          }
          board.mix(isolation: nil) { $0.title = "end \(limit)" }
          continuation.resume()
        }.start()
      }
      try await withThrowingTaskGroup(of: Sheet.self) { group in
        for _ in 0..<4 {
          group.addTask {
            var document = Document(feed)
            repeat { try await document.next() } while document.value["title"]?.string != "end \(limit)"
            return try document.sheet
          }
        }
        for try await sheet in group { #expect(sheet == board.state) }
      }
      await mixing
    }
  }
}

/// What a client has: a document, changed by each patch as another implementation would.
private struct Document<State: Encodable & Sendable>: Sendable {
  private let feed: StateFeed<State>
  private(set) var place: FeedPlace?
  private(set) var value: ArchiveValue
  private(set) var kinds: [FeedEvent.Kind] = []
  private(set) var texts: [String] = []

  init(_ feed: StateFeed<State>, after place: FeedPlace? = nil, value: ArchiveValue = .null) {
    (self.feed, self.place, self.value) = (feed, place, value)
  }

  mutating func next() async throws { _ = try #require(await tryNext()) }

  mutating func tryNext() async throws -> FeedEvent? {
    guard let event = try await feed.next(after: place) else { return nil }
    place = event.place
    kinds.append(event.kind)
    texts.append(String(decoding: event.json, as: UTF8.self))
    let json = try ArchiveValue(recorded: Array(event.json))
    switch event.kind {
    case .state: value = json
    case .patch: for operation in try #require(json.array) { try apply(operation) }
    }
    return event
  }

  private mutating func apply(_ operation: ArchiveValue) throws {
    let (path, new) = (try #require(operation["path"]?.string), operation["value"])
    let tokens = try #require(JSONPointer.tokens(path))
    let isDone =
      switch operation["op"]?.string {
      case "test": value.found(tokens[...]) == new
      case "add": value.put(new, at: tokens[...], isAdded: true)
      case "replace": value.put(new, at: tokens[...], isAdded: false)
      case "remove": value.put(nil, at: tokens[...], isAdded: false)
      default: false
      }
    #expect(isDone, "\(operation)")
  }
}

extension Document where State == Sheet {
  var sheet: Sheet { get throws { try SubstanceSerializer.state(Sheet.self, from: value.text) } }
}

extension ArchiveValue {
  fileprivate func found(_ path: ArraySlice<String>) -> ArchiveValue? {
    guard let name = path.first else { return self }
    if let index = Int(name), let elements = array {
      return elements.indices.contains(index) ? elements[index].found(path.dropFirst()) : nil
    }
    return self[name]?.found(path.dropFirst())
  }

  fileprivate mutating func put(_ new: ArchiveValue?, at path: ArraySlice<String>, isAdded: Bool) -> Bool {
    guard let name = path.first else {
      self = new ?? .null
      return true
    }
    if path.count > 1 {
      guard var inner = found([name]) else { return false }
      let isDone = inner.put(new, at: path.dropFirst(), isAdded: isAdded)
      return put(inner, at: [name], isAdded: false) && isDone
    }
    switch self {
    case .object(var members):
      members[name] = new
      self = .object(members)
    case .array(var elements):
      guard let index = Int(name), index <= elements.count else { return false }
      if let new, isAdded {
        elements.insert(new, at: index)
      } else if let new {
        elements[index] = new
      } else {
        elements.remove(at: index)
      }
      self = .array(elements)
    default: return false
    }
    return true
  }
}

private struct Sheet: Codable, Sendable, Equatable {
  var title = ""
  var rows: [String] = []
  var owner = Person()
  var guests: [String: Person] = [:]
}

private struct Person: Codable, Sendable, Equatable {
  var name = ""
  var phone = ""
  var key = Key()
}

private struct Key: Codable, Sendable, Equatable, Redacted {
  var text = ""

  enum CodingKeys: CodingKey { case text }
}

extension Key {
  /// A client finds a mark in its place.
  init(from decoder: any Decoder) throws { _ = try String(from: decoder) }
}

private struct Counts: Codable, Sendable, Equatable { var rows: Int }

private struct Level: Codable, Sendable, Equatable { var height = 1.0 }
