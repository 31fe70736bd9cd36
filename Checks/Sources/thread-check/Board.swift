import Flask
import Foundation

struct BoardState: FlaskState, Codable {
  var count = 0
  var title = ""
  var marks: [Int] = []
  var names: [String: String] = [:]
  var unused = 0
}

final class Board: Substance<BoardState>, @unchecked Sendable {}

final class Owner: Sendable {}

final class Unordered: @unchecked Sendable { var number = 0 }

@globalActor actor Elsewhere { static let shared = Elsewhere() }

struct Flight: Identifiable, Sendable {
  let id: Int
  var delay = 0
  var gate = "a gate whose name is too long to be stored inline"
  var next: Int { id * 7 % 200 }
}

struct Flights: Sendable { var all: Entities<Flight> }
