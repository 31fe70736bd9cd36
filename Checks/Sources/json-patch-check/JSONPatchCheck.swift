import FlaskInsight
import Foundation
import SeededNumbers

/// Prints, line by line, a random state, what some random edits made of it, and the patches there and back:
/// `{"old": …, "new": …, "patch": […], "inverse": […]}`. What reads it applies the patches with another implementation.
///
///     json-patch-check [how many, 10000 if not given] [seed]
@main
struct JSONPatchCheck {
  struct Line: Encodable {
    let old: Workshop
    let new: Workshop
    let patch: StatePatch<Workshop>
    let inverse: StatePatch<Workshop>
  }

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let count = arguments.first.flatMap { Int($0) } ?? 10_000
    let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)
    FileHandle.standardError.write(Data("seed \(seed)\n".utf8))
    var generator = SeededGenerator(seed: seed)
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    var state = Workshop()
    for number in 0..<count {
      var next = state
      for _ in 0..<Int.random(in: 1...3, using: &generator) { next.edit(using: &generator) }
      let patch = StatePatch(from: state, to: next)
      guard try patch.inverted().applied(to: patch.applied(to: state)) == state else {
        throw CheckFailure(message: "the inverse of patch \(number) does not lead back, seed \(seed)")
      }
      let line = Line(old: state, new: next, patch: patch, inverse: patch.inverted())
      FileHandle.standardOutput.write(try encoder.encode(line) + Data("\n".utf8))
      state = next
    }
  }
}

struct CheckFailure: Error { let message: String }
