import FlaskCore

/// A state of 64 KB: eight to the power of four integers, twice.
struct LargeState: FlaskState {
  struct Eight<Part: Codable & Sendable>: Codable, Sendable {
    var a, b, c, d, e, f, g, h: Part

    init(_ part: Part) { (a, b, c, d, e, f, g, h) = (part, part, part, part, part, part, part, part) }
  }

  typealias Half = Eight<Eight<Eight<Eight<Int>>>>

  var left = Half(Eight(Eight(Eight(0))))
  var right = Half(Eight(Eight(Eight(0))))
}
