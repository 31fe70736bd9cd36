import FlaskPrimitives
import Foundation
import Testing

@testable import FlaskCore
@testable import FlaskDerived
import FlaskScopes
import TestSupport
@testable import KernelFixtures

/// Random programs of direct mixes, transactions, scopes, snapshots and derived values, from several threads: a sequential
/// model, told the order in which the operations were performed, agrees on every state, every notification and every
/// derived value.
@Suite struct FaceModelTests {
  @Test(arguments: 0..<Workload.count(24, full: 240)) func `a program of a seed`(seed: Int) async {
    var random = SeededGenerator(seed: UInt64(seed))
    let threadCount = seed % 8 + 1
    let length = Workload.count(400, full: 4_000) / threadCount
    var program = (0..<threadCount).map { _ in (0..<length).map { _ in FaceStep.random(using: &random) } }
    var failure = await FaceWorld.failure(of: program)
    if failure == nil { return }
    // Smaller programs that fail, too: halves, quarters, … of each thread are left out.
    var part = length / 2
    while part > 0 {
      var hasShrunk = false
      for thread in program.indices {
        for start in stride(from: 0, to: program[thread].count, by: part) where start < program[thread].count
        {
          var smaller = program
          smaller[thread].removeSubrange(start..<min(start + part, smaller[thread].count))
          guard let other = await FaceWorld.failure(of: smaller) else { continue }
          (program, failure, hasShrunk) = (smaller, other, true)
        }
      }
      if !hasShrunk { part /= 2 }
    }
    Issue.record("seed \(seed): \(failure ?? ""), by \(program)")
  }
}

/// The substances of one run of a program, and what was seen of them.
private final class FaceWorld: Sendable {
  let flux = Flux(expecting: .errorDropped)
  let a: Substance<FaceState>
  let b: Substance<FaceState>
  let part: Scope<FaceState.Part>
  let sum: Derived<Int>
  let isLarge: Derived<Bool>
  let total: Derived<Int>
  /// What was performed, in order.
  let performed = Recorder<FaceStep>()
  let wrong = Recorder<String>()

  private init() {
    (a, b) = Flux.$current.withValue(flux) { (Substance(FaceState()), Substance(FaceState())) }
    part = a.scope(\.part)
    let (a, b, part) = (a, b, part)
    let sum = Flux.$current.withValue(flux) { Derived { a.x + b.x } }
    self.sum = sum
    isLarge = Flux.$current.withValue(flux) { Derived { sum.value > 10 } }
    total = Flux.$current.withValue(flux) { Derived { part.p + part.q + b.y } }
  }

  /// What is wrong after a run; `nil` if nothing is.
  static func failure(of program: [[FaceStep]]) async -> String? {
    let world = FaceWorld()
    let seen = Lists()
    let (a, b) = (world.a, world.b)
    let tokens = [
      a.observe(\.x, isolation: nil) { seen.append(\.x, $0, $1) },
      a.observe(\.part, isolation: nil) { seen.append(\.part, $0, $1) },
      b.observe(\.x, isolation: nil) { seen.append(\.otherX, $0, $1) },
      world.sum.observe(isolation: nil) { seen.append(\.sum, $0, $1) },
      world.isLarge.observe(isolation: nil) { seen.append(\.isLarge, $0, $1) },
      world.total.observe(isolation: nil) { seen.append(\.total, $0, $1) },
    ]
    await withTaskGroup(of: Void.self) { group in
      for steps in program {
        group.addTask { for step in steps { await world.perform(step) } }
      }
    }
    _ = await world.flux.performInFluxQueue(isolation: nil) {}.outcome
    for token in tokens { token.cancel() }
    var history = seen.all
    history.final = [a.state, b.state]
    let expected = FaceHistory(performing: world.performed.all)
    if let wrong = world.wrong.all.first { return wrong }
    if world.sum.value != a.x + b.x || world.total.value != a.part.p + a.part.q + b.y {
      return "a derived value is stale"
    }
    return history == expected ? nil : "seen \(history), expected \(expected)"
  }

  private func perform(_ step: FaceStep) async {
    let (a, b, performed) = (a, b, performed)
    switch step {
    case .add(let amount):
      a.mix(isolation: nil) {
        performed.append(step)
        $0.x += amount
      }
    case .addAndThrow(let amount):
      a.mix(isolation: nil) {
        $0.x += amount
        throw Oops()
      }
    case .move(let amount):
      Flask.mix(a, b, isolation: nil) { a, b in
        performed.append(step)
        a.x += amount
        b.x -= amount
        b.y += 1
      }
    case .moveAndThrow(let amount):
      Flask.mix(a, b, isolation: nil) { a, b in
        a.x += amount
        b.x -= amount
        throw Oops()
      }
    case .part(let amount):
      part.mix(isolation: nil) {
        performed.append(step)
        $0.p += amount
      }
    case .partAndWhole(let amount):
      Flask.mix(b, part, isolation: nil) { b, part in
        performed.append(step)
        part.q += amount
        b.x += amount
      }
    case .nothing: a.mix(isolation: nil) { $0.x += 0 }
    case .transact(let amount):
      let result = try? await a.transaction { state in
        performed.append(step)
        state.x += amount
        return state.x
      }
      if result == nil { wrong.append("a transaction was not performed") }
    case .transactAndThrow(let amount):
      do {
        try await a.transaction { state in
          state.x += amount
          throw Oops()
        }
        wrong.append("a transaction did not throw")
      } catch {
        if !(error is Oops) { wrong.append("a transaction threw \(error)") }
      }
    case .transactCancelled(let amount):
      // It may have begun before it is cancelled: then it ends.
      let task = Task {
        try await a.transaction { state in
          performed.append(.transact(amount))
          state.x += amount
        }
      }
      task.cancel()
      _ = await task.result
    case .mixFromMix(let amount):
      b.mix(isolation: nil) { _ in
        a.mix(isolation: nil) {
          performed.append(step)
          $0.x += amount
        }
      }
    case .snapshot:
      let (first, second, sum, isLarge, total) = Flask.snapshot(a, b, sum, isLarge, total)
      if first.x + second.x != sum || isLarge != (sum > 10) || first.part.p + first.part.q + second.y != total
      {
        wrong.append("a snapshot of several moments: \(first), \(second), \(sum), \(isLarge), \(total)")
      }
    case .readDerived: _ = (sum.value, isLarge.value, total.value)
    }
  }

  /// What observers were told. Touched by the performer of the flux, under a lock.
  private final class Lists: @unchecked Sendable {
    private let lock = NSLock()
    private var history = FaceHistory()

    var all: FaceHistory { lock.withLock { history } }

    func append<Value>(_ list: WritableKeyPath<FaceHistory, [String]>, _ old: Value, _ new: Value) {
      lock.withLock { history[keyPath: list].append("\(old) → \(new)") }
    }
  }
}
