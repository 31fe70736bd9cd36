@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// Effects started and cancelled at random from four threads: nothing is left, and nothing comes after a cancellation.
@Suite(.ownFlux) struct EffectStressTests {
  struct Work: FluxAction {
    let id: Int
    /// How often effects of the identifier had been cancelled when the action was performed.
    var age = 0
  }
  struct Done: FluxAction { let work: Work }

  /// What the flux knows: touched by its operations only, so a plain class would do, were it not for the checker.
  ///
  /// `@unchecked Sendable`: touched inside operations of one flux only.
  final class Ledger: @unchecked Sendable {
    var cancelled = [Int](repeating: 0, count: 8)
    var late = 0
    var done = 0
  }

  @Test(arguments: FluxEffectPolicy.allCases)
  func `nothing is left, and nothing comes after a cancellation`(policy: FluxEffectPolicy) async {
    let ledger = Ledger()
    let flux = Flux.current
    weak var gone: FluxDispatcher?
    weak var goneMiddleware: FluxMiddleware?
    let receipts = Recorder<FluxReceipt>()
    do {
      let dispatcher = FluxDispatcher()
      let middleware = FluxMiddleware()
      gone = dispatcher
      goneMiddleware = middleware
      for id in 0..<8 {
        middleware.registerEffect(for: Work.self, id: id, policy: policy) { work, dispatch in
          guard work.id == id else { return }
          if work.age % 3 == 0 { await Task.yield() }
          dispatch(Done(work: work))
        }
      }
      dispatcher.register(workers: [
        ActionLog("", Recorder()) { action in
          guard let work = action as? Work else { return .next() }
          return .next(Work(id: work.id, age: ledger.cancelled[work.id]))
        },
        middleware,
        ActionLog("", Recorder()) { action in
          guard let done = action as? Done else { return .next() }
          ledger.done += 1
          if done.work.age < ledger.cancelled[done.work.id] { ledger.late += 1 }
          return .next()
        },
      ])
      let rounds = Workload.count(250, full: 25_000)
      await OtherThread.run(times: 4) { thread in
        var random = SeededGenerator(seed: UInt64(thread))
        for _ in 0..<rounds {
          let id = Int.random(in: 0..<8, using: &random)
          if Int.random(in: 0..<4, using: &random) == 0 {
            flux.performInFluxQueue(isolation: nil) {
              dispatcher.cancelEffects(id: id)
              ledger.cancelled[id] += 1
            }
          } else if Int.random(in: 0..<8, using: &random) == 0 {
            dispatcher.cancelEffects(id: id)
          } else {
            receipts.append(Work(id: id).dispatch(with: dispatcher, isolation: nil))
          }
        }
      }
      for receipt in receipts.take() { await receipt.finished }
      // What cancels may come last.
      _ = await flux.performInFluxQueue(isolation: nil) {}.outcome
      #expect(dispatcher.effects.count == 0)
      #expect(dispatcher.effects.timerCount == 0)
    }
    await soon { gone == nil && goneMiddleware == nil }
    #expect(gone == nil)
    #expect(goneMiddleware == nil)
    #expect(ledger.late == 0)
    #expect(flux.waitingCount == 0)
  }
}
