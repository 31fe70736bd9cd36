import FlaskViews

struct Row: Identifiable, Equatable, Codable, Sendable, CustomStringConvertible {
  let id: Int
  var title: String
  var due: Int
  var owner: Int = 0
  var isDone = false

  var description: String { "\(id):\(title)/\(due)\(isDone ? "!" : "")" }
}

struct Person: Identifiable, Equatable, Codable, Sendable {
  let id: Int
  var name: String
}

struct Board: FlaskState {
  var rows: Entities<Row> = []
  var list: [Row] = []
  var people: Entities<Person> = []
  var limit = 5
  var text = ""
}

/// A generator whose numbers follow from a seed.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }

  mutating func roll(_ sides: Int) -> Int { Int(truncatingIfNeeded: next() >> 33) % sides }
}
