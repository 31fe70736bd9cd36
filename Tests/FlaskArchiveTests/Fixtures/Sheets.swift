import FlaskArchive
import FlaskEntities
import Foundation

/// Many rows, and a text beside them.
struct Sheet: FlaskState {
  struct Row: Codable, Identifiable, Equatable, Sendable {
    let id: Int
    var title = "the title of a row"
    var number: Decimal = 0
  }

  var rows: Entities<Row> = Entities((0..<600).map { Row(id: $0) })
  var name = "sheet"
}

/// What a newer version of the program knows more of: of each row, and of the whole.
struct NewerSheet: FlaskState {
  struct Row: Codable, Identifiable, Equatable, Sendable {
    let id: Int
    var title = "the title of a row"
    var number: Decimal = 0
    var note: String?
  }

  var rows: Entities<Row> = []
  var name = "sheet"
  var note: String?
}

/// A sheet that sorts its rows whenever it is read.
struct SortedSheet: FlaskState {
  var rows: Entities<Sheet.Row> = []

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    rows = Entities(try container.decode(Entities<Sheet.Row>.self, forKey: .rows).sorted { $0.id < $1.id })
  }
}

/// Rows that are written in one of two places.
struct TwoPlaces: FlaskState {
  var first: Entities<Sheet.Row>? = Entities((0..<600).map { Sheet.Row(id: $0) })
  var second: Entities<Sheet.Row>?

  enum CodingKeys: CodingKey { case first, second }

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let (a, b) = (
      try container.decode(Entities<Sheet.Row>.self, forKey: .first),
      try container.decode(Entities<Sheet.Row>.self, forKey: .second)
    )
    (first, second) = (a.isEmpty ? nil : a, b.isEmpty ? nil : b)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if let first {
      try container.encode(first, forKey: .first)
    } else {
      try container.encode([Int](), forKey: .first)
    }
    if let second {
      try container.encode(second, forKey: .second)
    } else {
      try container.encode([Int](), forKey: .second)
    }
  }
}

/// An archive in memory that counts how often it is read as a whole.
struct CountedArchive: ObservableArchiveBackend, JournalArchiveBackend {
  let memory = MemoryArchive()
  let reads = Count()

  var location: String { memory.location }

  func load(_ key: String) -> Data? {
    reads.add()
    return memory.load(key)
  }
  func loadWithJournal(_ key: String) -> (archive: Data, journal: Data)? {
    reads.add()
    return memory.loadWithJournal(key)
  }
  func journal(of key: String, beginning: Data, from length: Int) throws -> Data? {
    try memory.journal(of: key, beginning: beginning, from: length)
  }
  func save(_ data: Data, for key: String) { memory.save(data, for: key) }
  func save(_ data: Data, for key: String, replacing expected: Data?) -> Bool {
    memory.save(data, for: key, replacing: expected)
  }
  func append(_ data: Data, toJournalOf key: String, beginning: Data, length: Int) -> Bool {
    memory.append(data, toJournalOf: key, beginning: beginning, length: length)
  }
  func remove(_ key: String) { memory.remove(key) }
  func keys(withPrefix prefix: String) -> [String] { memory.keys(withPrefix: prefix) }
  func observe(_ key: String, onChange: @escaping @Sendable (ArchiveError?) -> Void) -> ArchiveObservation {
    memory.observe(key, onChange: onChange)
  }
}
