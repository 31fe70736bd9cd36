@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// A random program for a flux and its model: what is submitted, and what happens inside.
struct Script: Sendable {
  /// What a closure of an operation does.
  enum Step: Sendable {
    case add(to: Int, Int)
    case same(Int)
    case hide(in: Int)
    case fail(Int)
    case submit(inside: Int, [Action])
  }

  enum Action: Sendable {
    case chain([Step], isAborted: Bool)
    case mixer(ClerkMixers)
    case closure([Action])
    case capture(Int)
    case rollBack(Int)
    case lock
    case lockMixer(ClerkMixers, autorelease: Bool)
    case release(Int)
    case purge
  }

  /// What is submitted from outside, one after the other.
  let actions: [Action]
  /// What the reactions submit, by their serial number.
  let reactions: [Int: [Action]]

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    actions = (0..<Int.random(in: 1...14, using: &generator)).map { _ in Self.action(&generator, depth: 0) }
    var reactions: [Int: [Action]] = [:]
    for serial in 0..<30 where Int.random(in: 0..<4, using: &generator) == 0 {
      reactions[serial] = [Self.action(&generator, depth: 1)]
    }
    self.reactions = reactions
  }

  private static func action(_ generator: inout SeededGenerator, depth: Int) -> Action {
    let mixers: [ClerkMixers] = [.note, .add, .quit, .fail]
    let substance = Int.random(in: 0..<3, using: &generator)
    let mixer = mixers[Int.random(in: 0..<4, using: &generator)]
    switch Int.random(in: 0..<20, using: &generator) {
    case 0...8:
      let steps = (0..<Int.random(in: 1...4, using: &generator)).map { _ in step(&generator, depth: depth) }
      return .chain(steps, isAborted: Int.random(in: 0..<6, using: &generator) == 0)
    case 9, 10: return .mixer(mixer)
    case 11: return depth < 2 ? .closure([action(&generator, depth: depth + 1)]) : .mixer(mixer)
    case 12: return .capture(substance)
    case 13: return .rollBack(substance)
    case 14: return .lock
    case 15: return .lockMixer(mixer, autorelease: Bool.random(using: &generator))
    case 16...18: return .release(Int.random(in: 0..<4, using: &generator))
    default: return .purge
    }
  }

  private static func step(_ generator: inout SeededGenerator, depth: Int) -> Step {
    let substance = Int.random(in: 0..<3, using: &generator)
    switch Int.random(in: 0..<10, using: &generator) {
    case 0...4: return .add(to: substance, Int.random(in: -3...3, using: &generator))
    case 5: return .same(substance)
    case 6: return .hide(in: substance)
    case 7: return .fail(substance)
    default:
      return depth < 2 ? .submit(inside: substance, [action(&generator, depth: depth + 1)]) : .same(substance)
    }
  }
}

extension Script.Step {
  var substance: Int {
    switch self {
    case .add(to: let substance, _), .same(let substance), .hide(in: let substance), .fail(let substance),
      .submit(inside: let substance, _):
      substance
    }
  }
}
