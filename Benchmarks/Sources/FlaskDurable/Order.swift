import FlaskCore
import FlaskEntities
import Foundation
import GRDB

/// An order as a shop has it: nested values, optional ones, and padding between its properties.
struct Order: Codable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
  enum Status: String, Codable, Sendable { case open, paid, sent }

  struct Line: Codable, Sendable {
    var article: String
    var count: Int
    var cents: Int
  }

  static let databaseTableName = "orders"

  let id: Int
  var isUrgent = false
  var customer: String
  var status = Status.open
  var placed: Date
  var sent: Date?
  var note: String?
  var lines: [Line]
  var edits = 0

  init(id: Int) {
    self.id = id
    customer = "customer number \(id)"
    placed = Date(timeIntervalSince1970: 1_700_000_000 + Double(id))
    lines = (0..<3).map {
      Line(article: "article \(id + $0) of the catalogue", count: $0 + 1, cents: 1_995 + $0)
    }
  }
}

struct Shop: FlaskState {
  var orders: Entities<Order>

  init() { self.init(0) }

  init(_ count: Int) { orders = Entities((0..<count).map { Order(id: $0) }) }
}
