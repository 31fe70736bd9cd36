@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// The table against the model, with random programs over a simulated time; no threads.
struct EffectTableModelTests {
  /// Does what a table decides, as the engine does: keeps who runs and who waits, and calls when a time is over.
  private struct Player {
    static let group = EffectTable.Group(identifier: 1, holder: .shared("all"))

    let owners = [Owner(), Owner()]
    var table = EffectTable()
    var waiting: Set<Int> = []
    var running: Set<Int> = []
    var stopping: Set<Int> = []
    var timers: [Int: Duration] = [:]
    var now = Duration.zero

    init() { for owner in owners { table.own(ObjectIdentifier(owner)) } }

    mutating func play(_ decisions: [EffectTable.Decision]) {
      for decision in decisions {
        switch decision {
        case .start(let run):
          #expect(waiting.remove(run) != nil)
          running.insert(run)
        case .cancel(let run):
          #expect(running.remove(run) != nil)
          stopping.insert(run)
        case .drop(let run): #expect(waiting.remove(run) != nil)
        case .startTimer(let timer, _, let duration):
          #expect(timers.updateValue(now + duration, forKey: timer) == nil)
        case .cancelTimer(let timer): #expect(timers.removeValue(forKey: timer) != nil)
        }
      }
    }

    mutating func add(_ effect: EffectModel.Effect) {
      waiting.insert(effect.number)
      let owner = ObjectIdentifier(owners[effect.owner])
      play(
        table.add(
          EffectTable.Entry(
            run: effect.number,
            group: Self.group,
            owner: owner,
            middleware: owner,
            policy: effect.policy,
            pace: effect.pace
          )
        )
      )
    }

    mutating func cancel(owner: Int?) {
      let scope = owner.map { EffectTable.Scope.middleware(ObjectIdentifier(owners[$0])) } ?? .all
      play(table.cancel(Self.group.identifier, of: scope))
    }

    mutating func end(_ run: Int) {
      running.remove(run)
      stopping.remove(run)
      play(table.ended(run, of: Self.group))
    }

    mutating func advance(to time: Duration) {
      now = time
      for (timer, end) in timers where end == time {
        timers[timer] = nil
        play(table.fired(timer, of: Self.group))
      }
    }
  }

  @Test(arguments: FluxEffectPolicy.allCases.map { [$0] } + [FluxEffectPolicy.allCases])
  func `random programs end as the model does`(policies: [FluxEffectPolicy]) {
    for seed in 0..<UInt64(Workload.count(300, full: 3_000)) {
      var random = SeededGenerator(seed: seed)
      var player = Player()
      var model = EffectModel()
      let mostPaces = Int.random(in: 0...2, using: &random)
      for step in 1...60 {
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
          let owner = [nil, 0, 1].randomElement(using: &random) ?? nil
          player.cancel(owner: owner)
          model.cancel(owner: owner)
        case 1...6:
          let started = player.running.union(player.stopping).sorted()
          guard let ended = started.randomElement(using: &random) else { continue }
          player.end(ended)
          model.end(ended)
        case 7...10:
          guard let time = model.nextEvent else { continue }
          #expect(player.timers.values.min() == time, "seed \(seed), step \(step)")
          player.advance(to: time)
          model.advance(to: time)
        default:
          // Two times are never equal: what comes first then would be anybody's guess.
          let span = Duration.nanoseconds(Int.random(in: 1...1_000_000_000_000, using: &random))
          let paces: [FluxEffectPace] = [.immediate, .debounce(span), .throttle(span)]
          guard let policy = policies.randomElement(using: &random) else { continue }
          let effect = EffectModel.Effect(
            number: step,
            owner: Int.random(in: 0...1, using: &random),
            policy: policy,
            pace: paces[Int.random(in: 0...mostPaces, using: &random)]
          )
          player.add(effect)
          model.come(effect)
        }
        #expect(player.running.sorted() == model.numbers(.runs).sorted(), "seed \(seed), step \(step)")
        #expect(player.stopping.sorted() == model.numbers(.stops).sorted(), "seed \(seed), step \(step)")
        let waiting = model.numbers(.pauses, .awaitsSpan, .queues).sorted()
        #expect(player.waiting.sorted() == waiting, "seed \(seed), step \(step)")
        #expect(player.timers.values.min() == model.nextEvent, "seed \(seed), step \(step)")
      }
      // What is left runs to its end, and then nothing is kept.
      player.cancel(owner: nil)
      for run in player.running.union(player.stopping) { player.end(run) }
      #expect(player.table.isIdle, "seed \(seed)")
      #expect(player.timers.isEmpty, "seed \(seed)")
    }
  }
}
