import Testing

@testable import FlaskCore
@testable import FlaskDerived
import TestSupport

/// One step of a random program over everything that mixes, reads and derives.
enum FaceStep: Sendable, Equatable {
  case add(Int)
  case addAndThrow(Int)
  case move(Int)
  case moveAndThrow(Int)
  case part(Int)
  case partAndWhole(Int)
  case nothing
  case transact(Int)
  case transactAndThrow(Int)
  case transactCancelled(Int)
  case mixFromMix(Int)
  case snapshot
  case readDerived

  static func random(using random: inout SeededGenerator) -> FaceStep {
    let amount = Int.random(in: -9...9, using: &random)
    return switch Int.random(in: 0..<15, using: &random) {
    case 0, 1: .add(amount)
    case 2: .addAndThrow(amount)
    case 3, 4: .move(amount)
    case 5: .moveAndThrow(amount)
    case 6: .part(amount)
    case 7: .partAndWhole(amount)
    case 8: .nothing
    case 9: .transact(amount)
    case 10: .transactAndThrow(amount)
    case 11: .transactCancelled(amount)
    case 12: .mixFromMix(amount)
    case 13: .snapshot
    default: .readDerived
    }
  }
}

/// The state of both substances of a program.
struct FaceState: FlaskState, Equatable {
  struct Part: Codable, Sendable, Equatable { var p = 0, q = 100 }

  var x = 0
  var y = 0
  var part = Part()
}

/// What is to be seen of a program, and what an independent model says that is to be seen.
struct FaceHistory: Equatable {
  /// The state of the first substance before and after each operation that changed its `x`, and so on.
  var x: [String] = []
  var part: [String] = []
  var otherX: [String] = []
  var sum: [String] = []
  var isLarge: [String] = []
  var total: [String] = []
  var final: [FaceState] = []

  /// Performs steps, in the order in which they were performed, as one would who has never heard of Flask.
  init(performing steps: [FaceStep]) {
    var (a, b) = (FaceState(), FaceState())
    for step in steps {
      let before = (a, b)
      switch step {
      case .add(let amount), .transact(let amount), .mixFromMix(let amount): a.x += amount
      case .move(let amount):
        a.x += amount
        b.x -= amount
        b.y += 1
      case .part(let amount): a.part.p += amount
      case .partAndWhole(let amount):
        a.part.q += amount
        b.x += amount
      case .addAndThrow, .moveAndThrow, .nothing, .transactAndThrow, .transactCancelled, .snapshot,
        .readDerived:
        break
      }
      func note<Value: Equatable>(
        _ list: WritableKeyPath<FaceHistory, [String]>,
        _ value: ((FaceState, FaceState)) -> Value
      ) {
        let (old, new) = (value(before), value((a, b)))
        if old != new { self[keyPath: list].append("\(old) → \(new)") }
      }
      note(\.x) { $0.0.x }
      note(\.part) { $0.0.part }
      note(\.otherX) { $0.1.x }
      note(\.sum) { $0.0.x + $0.1.x }
      note(\.isLarge) { $0.0.x + $0.1.x > 10 }
      note(\.total) { $0.0.part.p + $0.0.part.q + $0.1.y }
    }
    final = [a, b]
  }

  init() {}
}
