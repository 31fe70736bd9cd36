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
