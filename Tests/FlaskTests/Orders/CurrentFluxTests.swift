import TestSupport
import Testing

@testable import ActionFixtures
@testable import FlaskActions
@testable import FlaskCore
@testable import KernelFixtures

/// Mixes, mixers, actions and closures of one flux, beside each other on several threads.
@Suite(.ownFlux) struct CurrentFluxTests {
  private let log = Recorder<String>()

  /// Notes a place in which another flux than `flux` is current.
  private func note(_ flux: Flux) -> @Sendable (String) -> Void {
    { [log, flux] place in if Flux.current !== flux { log.append(place) } }
  }

  @Test func `in mixes, reactions, observers, mixers, reducers and deinits, on any thread`() async {
    let flux = Flux()
    let note = note(flux)
    let count = Recorder<Int>()
    await Flux.$current.withValue(flux) {
      let tally = Substance<Holder>()
      let caller = Caller {
        note("mixer"); count.append(3)
      }
      let store = FluxStore(initialState: Tally())
      store.registerReducer(for: Add.self) { state, _ in
        state.counter += 1
        note("reducer")
        count.append(4)
      }
      let dispatcher = FluxDispatcher()
      dispatcher.register(workers: [store])
      let owner = Owner()
      let made = Recorder<Task<Void, Never>>()
      let reactor = Flask.reactor(attachedTo: owner, mixing: [tally, caller, store]) { _, _ in
        note("reaction")
        count.append(1)
        made.append(Task { note("task of a reaction") })
      }
      let token = tally.observe(\.counter) { _, _ in
        note("observer"); count.append(2)
      }
      await Flux.$current.withValue(Flux()) {
        await OtherThread.run(times: 4) { thread in
          for _ in 0..<50 {
            reactor.mix(tally) {
              $0.prop.counter += 1
              $0.prop.token = LastWords { note("deinit of a state") }
              note("mix")
            }.react(isolation: nil)
            _ = flux.apply(
              MixerKey(CallerMixers.call),
              payload: nil,
              with: MixOptions(nil, "", 0)
            )
            dispatcher.dispatch(Add(), isolation: nil)
            flux.performInFluxQueue(isolation: nil) { note("closure") }
          }
        }
        _ = await flux.performInFluxQueue {}.outcome
      }
      for task in made.all { await task.value }
      #expect([1, 2, 3, 4].map { kind in count.all.filter { $0 == kind }.count } == [400, 200, 200, 200])
      token.cancel()
      dispatcher.unregisterAll()
    }
    #expect(Set(log.all) == [])
  }
}
