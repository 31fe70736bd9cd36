import FlaskCore

/// A nested state.
struct Profile: FlaskState {
  enum prop: StateProp { case info, address, scores, list }

  struct Info: Codable, Sendable {
    var nest = Nest()
    var title = "none"
  }

  struct Nest: Codable, Sendable {
    var foo = "bar"
    var bar = 1
    var _secret = 0
  }

  struct Address: Codable, Sendable {
    var street = "Elm"
    var number = 7
  }

  var info = Info()
  var address: Address?
  var scores: [String: Int] = [:]
  var list: [Int] = []
  var _cache = 0

  var headline: String { info.title + "!" }
}
