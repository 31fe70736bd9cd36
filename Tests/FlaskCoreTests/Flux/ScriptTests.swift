import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Random programs, played on a flux and on a sequential model.
@Suite(.ownFlux) struct ScriptTests {
  @Test func `states, reactions in order and outcomes are those of the model`() throws {
    for seed in 0..<UInt64(Workload.count(1500, full: 30_000)) {
      let script = Script(seed: seed)
      let flux = Flux(expecting: .errorDropped)
      let played = Flux.$current.withValue(flux) { ScriptPlayer(script).run() }
      let expected = ScriptModel(script).run().trimmingEmptyEnds()
      try #require(played.trimmingEmptyEnds() == expected, "seed \(seed)")
    }
  }

  @Test func `the scripts reach every outcome`() {
    var reached: Set<String> = []
    for seed in 0..<UInt64(300) {
      let model = ScriptModel(Script(seed: seed))
      _ = model.run()
      reached.formUnion(model.outcomes.values)
    }
    let wanted: Set = [
      "committed(counter)", "committed(counter, counter)", "committed(counter, counter, counter)",
      "unchanged",
      "aborted", "failed(Oops())", "purged",
    ]
    #expect(wanted.subtracting(reached) == [])
  }

  @Test func `transfers of four threads keep the sum in every operation, reaction and outcome`() async {
    let rounds = Workload.count(2000, full: 50_000)
    let (left, right) = (Watched<Purse>(), Watched<Purse>())
    let owner = Owner()
    let wrong = Recorder<Int>()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [left.substance, right.substance]) { _, _ in
      // Only the operation in progress commits, so what a reaction reads is one moment.
      let sum = left.substance.state.coins + right.substance.state.coins
      if sum != 200 { wrong.append(sum) }
    }
    let committed = Recorder<Int>()
    let receipts = Recorder<FluxReceipt>()
    await OtherThread.run(times: 4) { thread in
      var generator = SeededGenerator(seed: UInt64(thread))
      for _ in 0..<rounds {
        let amount = Int.random(in: 1...9, using: &generator)
        let way = Int.random(in: 0..<8, using: &generator)
        let lock = way == 7 ? left.substance.flux.lock() : nil
        let receipt =
          reactor
          .mix(left.substance) { left in
            left.prop.coins -= amount
            if way == 0 { throw Oops() }
          }
          .mix(right.substance) { right in
            right.prop.coins += amount
            let sum = left.substance.prop.coins + right.prop.coins
            if sum != 200 { wrong.append(sum) }
            if way == 1 { throw Oops() }
            committed.append(amount)
          }
          .react(isolation: nil)
        lock?.release(isolation: nil)
        receipts.append(receipt)
      }
    }
    for receipt in receipts.all { _ = await receipt.outcome }
    _ = await left.mix { _ in }.outcome
    #expect(wrong.all == [])
    #expect(right.substance.state.coins == 100 + committed.all.reduce(0, +))
    #expect(left.substance.state.coins == 100 - committed.all.reduce(0, +))
  }
}

extension String {
  fileprivate func trimmingEmptyEnds() -> String {
    split(separator: "\n", omittingEmptySubsequences: true).joined(separator: "\n")
  }
}
