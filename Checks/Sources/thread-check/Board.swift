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
