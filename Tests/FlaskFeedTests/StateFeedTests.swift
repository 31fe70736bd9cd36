import FlaskCoding
import FlaskCore
import FlaskFeed
import Foundation
import Testing

@testable import FlaskHistory

@Suite struct StateFeedTests {
  private let board = Flux.$current.withValue(Flux()) { Substance(Sheet()) }

  @Test func `it begins with the state, and then reports each change`() async throws {
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

  @Test func `after a reconnect it continues, and a place of another feed begins from scratch`() async throws
  {
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

  @Test func `a collection that becomes nil is reported, and comes back`() async throws {
    let maybe = Flux.$current.withValue(Flux()) { Substance(Maybe()) }
    let feed = StateFeed(of: maybe)
    var document = Document(feed)
    try await document.next()
    for lists in [["k": [1]], ["k": nil], ["k": [2], "l": nil], [:]] as [[String: [Int]?]] {
      maybe.mix { $0.lists = lists }
      try await document.next()
      #expect(try SubstanceSerializer.state(Maybe.self, from: document.value.text) == Maybe(lists: lists))
    }
  }

  @Test(
    arguments: [
      [.keyPath(\Login.self)], [.keyPath(\Login.texts), .keyPath(\Login.link)],
      [.keyPath(\[String: String].["k"]), .keyPath(\URL.query)],
    ] as [[Redaction]]
  )
  func `a key path that names no property hides all values of its type`(_ redactions: [Redaction])
    async throws
  {
    let login = Flux.$current.withValue(Flux()) { Substance(Account()) }
    let feed = StateFeed(of: login, redacting: redactions)
    var document = Document(feed)
    try await document.next()
    login.mix { $0.login.texts["k"] = "secret" }
    login.mix { $0.login.link = URL(string: "http://secret") }
    login.mix { $0.number = 1 }
    while document.value["number"]?.int != 1 { try await document.next() }
    for text in document.texts { #expect(!text.contains("secret"), "\(text)") }
  }

  @Test func `a number that is none is thrown, and no JSON`() async throws {
    let price = Flux.$current.withValue(Flux()) { Substance(Price()) }
    price.mix { $0.amount = .nan }
    var document = Document(StateFeed(of: price))
    await #expect(throws: EncodingError.self) { try await document.next() }
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

  @Test func `a feed that no one holds follows nothing`() async throws {
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

  @Test func `what cannot be encoded is thrown, and reported once it can be`() async throws {
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

  @Test func `a feed that is ended ends its readers, and those that come later`() async throws {
    let feed = StateFeed(of: board)
    var events = feed.events().makeAsyncIterator()
    #expect(try await events.next()?.kind == .state)
    let waiting = Task {
      var events = feed.events(after: nil).makeAsyncIterator()
      var count = 0
      while try await events.next() != nil { count += 1 }
      return count
    }
    board.mix { $0.title = "new" }
    #expect(try await events.next()?.kind == .patch)
    await feed.end()
    #expect(try await waiting.value >= 0)
    #expect(try await events.next() == nil)
    var later = feed.events().makeAsyncIterator()
    #expect(try await later.next() == nil)
  }

  @Test func `dates are sent as browsers read them, unless an encoder says otherwise`() async throws {
    struct Visit: FlaskState { var at = Date(timeIntervalSince1970: 1_700_000_000.25) }
    let visit = Flux.$current.withValue(Flux()) { Substance(Visit()) }
    let feed = StateFeed(of: visit)
    var events = feed.events().makeAsyncIterator()
    #expect(
      try await events.next().map { String(decoding: $0.json, as: UTF8.self) }
        == #"{"at":"2023-11-14T22:13:20.250Z"}"#
    )
    visit.mix { $0.at = Date(timeIntervalSince1970: 1_700_000_001) }
    let patch = try await events.next().map { String(decoding: $0.json, as: UTF8.self) }
    #expect(patch?.contains("2023-11-14T22:13:21.000Z") == true)
    let plain = StateFeed(of: visit, encoder: JSONEncoder())
    var numbers = plain.events().makeAsyncIterator()
    #expect(try await numbers.next().map { String(decoding: $0.json, as: UTF8.self) } == #"{"at":721692801}"#)
  }
}
