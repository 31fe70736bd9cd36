import FlaskEntities
import Foundation

@testable import FlaskCore

enum MergedKind: String, Codable { case a, b, c }

struct MergedName: RawRepresentable, Codable, Hashable { var rawValue: String }

struct MergedCard: FlaskState, Identifiable, Equatable {
  var id = 0
  var title = ""
  var count = 0
  var marks: Set<MergedKind> = []
}

struct MergedEntries: FlaskState {
  var byKind: [MergedKind: [String: Int]] = [:]
  var byID: [UUID: Int] = [:]
  var byPage: [URL: Int] = [:]
  var byName: [MergedName: [MergedKind: Int]] = [:]
  var byNumber: [Double: String] = [:]
}

struct MergedMembers: FlaskState {
  var tags: Set<String> = []
  var sets: Set<Set<Int>> = []
  var inside: [MergedKind: Set<Int>] = [:]
  var maybe: Set<Int>?
}

struct MergedDeck: FlaskState {
  var cards: Entities<MergedCard> = []
  var lists: [String: Entities<MergedCard>] = [:]
}

struct MergedPile: FlaskState { var decks: [Entities<MergedCard>] = [] }

/// States that encode themselves in other ways than their properties lie.
struct MergedOdd: FlaskState, Codable {
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
  var boards: [UUID: MergedDeck] = [:]
  var shelf: Entities<Board> = [Board(id: 1)]
  var count = 0
  var nested: Set<Int8> = []
  var inner: Entities<MergedCard> = []

  struct Board: FlaskState, Identifiable {
    var id = 0
    var cards: Entities<MergedCard> = []
  }

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    tags = try container.decode(Tags.self, forKey: .tags)
    list = try container.decode([Int8].self, forKey: .items)
    mixed = try container.decode([Either].self, forKey: .mixed)
    phase = try container.decode(Phase.self, forKey: .phase)
    names = try container.decode([String: Int].self, forKey: .names)
    boards = try container.decode([UUID: MergedDeck].self, forKey: .boards)
    shelf = try container.decode(Entities<Board>.self, forKey: .shelf)
    count = try container.decode(Int.self, forKey: .count)
    let meta = try container.nestedContainer(keyedBy: Inner.self, forKey: .meta)
    nested = try meta.decode(Set<Int8>.self, forKey: .set)
    inner = try meta.decode(Entities<MergedCard>.self, forKey: .items)
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

struct MergedNoted: FlaskState {
  struct Item: FlaskState, Identifiable {
    var id = 0
    var title = ""
    var note: String?
  }

  var items: Entities<Item> = []
}

struct MergedPlain: FlaskState {
  struct Item: FlaskState, Identifiable {
    var id = 0
    var title = ""
  }

  var items: Entities<Item> = []
  var count = 0
}
