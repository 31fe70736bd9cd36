import FlaskCoding
import FlaskFeed
import Foundation
import Testing

@testable import FlaskHistory

/// What a client has: a document, changed by each patch as another implementation would.
struct Document<State: Encodable & Sendable>: Sendable {
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

struct Sheet: Codable, Sendable, Equatable {
  var title = ""
  var rows: [String] = []
  var owner = Person()
  var guests: [String: Person] = [:]
}

struct Person: Codable, Sendable, Equatable {
  var name = ""
  var phone = ""
  var key = Key()
}

struct Key: Codable, Sendable, Equatable, Redacted {
  var text = ""

  enum CodingKeys: CodingKey { case text }
}

extension Key {
  /// A client finds a mark in its place.
  init(from decoder: any Decoder) throws { _ = try String(from: decoder) }
}

struct Maybe: Codable, Sendable, Equatable { var lists: [String: [Int]?] = [:] }

struct Account: Codable, Sendable {
  var login = Login()
  var number = 0
}

struct Login: Codable, Sendable {
  var texts = ["k": "secret"]
  var link = URL(string: "http://host?secret")
}

struct Price: Codable, Sendable { var amount: Decimal = 1 }

struct Level: Codable, Sendable, Equatable { var height = 1.0 }
