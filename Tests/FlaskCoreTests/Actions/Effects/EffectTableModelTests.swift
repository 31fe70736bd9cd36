import Testing

@testable import FlaskCore

/// The table against the model, with random programs; no threads.
struct EffectTableModelTests {
  private static let owner = Owner()
  private let id = EffectID("x")

  /// Does the steps of a table, and says what runs, ends and waits.
  private struct Doer {
    var running: Set<Int> = []
    var ending: Set<Int> = []
    var waiting: Set<Int> = []

    mutating func act(_ steps: [EffectStep]) {
      for step in steps {
        switch step {
        case .start(let run):
          waiting.remove(run)
          running.insert(run)
        case .cancel(let run):
          running.remove(run)
          ending.insert(run)
        case .drop(let run): waiting.remove(run)
        case .startTimer, .cancelTimer: break
        }
      }
    }
  }

  @Test(arguments: FluxEffectPolicy.allCases.map { [$0] } + [FluxEffectPolicy.allCases])
  func `random programs end as the model does`(policies: [FluxEffectPolicy]) {
    for seed in 0..<UInt64(Workload.count(200, full: 5_000)) {
      var random = SeededGenerator(seed: seed)
      var table = EffectTable()
      table.own(ObjectIdentifier(Self.owner))
      var model = EffectModel()
      var doer = Doer()
      for run in 0..<40 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          doer.act(table.cancel(id))
          model.cancel()
        case 1...4:
          guard let ended = (doer.running.union(doer.ending)).sorted().randomElement(using: &random) else {
            continue
          }
          doer.running.remove(ended)
          doer.ending.remove(ended)
          doer.act(table.ended(ended, of: id))
          model.end(ended)
        default:
          guard let policy = policies.randomElement(using: &random) else { continue }
          doer.waiting.insert(run)
          doer.act(
            table.offer(
              EffectOffer(
                run: run,
                id: id,
                owner: ObjectIdentifier(Self.owner),
                policy: policy,
                pace: .immediate
              )
            )
          )
          model.come(run, policy)
        }
        #expect(doer.running.sorted() == model.all(.runs), "seed \(seed), step \(run)")
        #expect(doer.ending.sorted() == model.all(.ends), "seed \(seed), step \(run)")
        #expect(doer.waiting.sorted() == model.all(.waits), "seed \(seed), step \(run)")
        let isIdle = doer.running.isEmpty && doer.ending.isEmpty && doer.waiting.isEmpty
        #expect(table.isIdle == isIdle, "seed \(seed), step \(run)")
      }
    }
  }
}
