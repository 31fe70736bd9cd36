import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Inside an operation its flux is the current one, whatever thread performs it.
@Suite(.ownFlux) struct CurrentFluxTests {
  private let log = Recorder<String>()

  /// Notes a place in which another flux than `flux` is current.
  private func note(_ flux: Flux) -> @Sendable (String) -> Void {
    { [log, flux] place in if Flux.current !== flux { log.append(place) } }
  }

  @Test func `in mixes, reactions, observers, mixers and deinits, on any thread`() async {
    let flux = Flux()
    let note = note(flux)
    let count = Recorder<Int>()
    await Flux.$current.withValue(flux) {
      let tally = Substance<Holder>()
      let caller = Caller {
        note("mixer"); count.append(3)
      }
      let owner = Owner()
      let made = Recorder<Task<Void, Never>>()
      let reactor = Flask.reactor(attachedTo: owner, mixing: [tally, caller]) { _, _ in
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
            flux.performInFluxQueue(isolation: nil) { note("closure") }
          }
        }
        _ = await flux.performInFluxQueue {}.outcome
      }
      for task in made.all { await task.value }
      #expect([1, 2, 3].map { kind in count.all.filter { $0 == kind }.count } == [200, 200, 200])
      token.cancel()
    }
    #expect(Set(log.all) == [])
  }

  @MainActor @Test func `in what waits for another isolation, and in the deinits that it sets off`() async {
    let flux = Flux()
    let note = note(flux)
    let deinits = Recorder<Int>()
    let heard = Recorder<Int>()
    Flux.$current.withValue(flux) {
      let holder = Substance<Holder>()
      let owner = Owner()
      let reactor = Flask.reactor(attachedTo: owner, mixing: holder)
      reactor.handler = { @MainActor _, _ in
        note("reaction that waited"); heard.append(1)
      }
      OtherThread.runBlocking {
        for number in 0..<20 {
          reactor.mix(holder) {
            $0.prop.counter += 1
            $0.prop.token = LastWords {
              note("deinit of a state that waited"); deinits.append(number)
            }
          }.react(isolation: nil)
        }
      }
      Flux.$current.withValue(Flux()) {
        // The last state that goes with the substance would go wherever that is let go of.
        reactor.mix(holder) {
          $0.prop.counter += 1
          $0.prop.token = nil
        }.react()
      }
      #expect(heard.count == 21)
    }
    await mainActorIsDone()
    #expect(deinits.count == 20)
    #expect(Set(log.all.filter { $0 != "deinit of a substance" }) == [])
  }

  @Test func `a lock taken in a reaction locks the flux of the reaction`() {
    let flux = Flux()
    let tally = Flux.$current.withValue(flux) { Watched<Tally>() }
    let locks = Recorder<FluxLock>()
    tally.reactor.handler = { _, _ in locks.append(Flask.lock()) }
    tally.mix { $0.prop.counter = 1 }
    #expect(locks.all.map { $0.flux === flux } == [true])
    locks.take().first?.release()
  }

  private struct Refused: Error, Equatable {}

  @Test func `a mix while another flux is the current one is performed at once in its own`() async throws {
    let flux = Flux()
    let note = note(flux)
    let tally = Flux.$current.withValue(flux) { Substance(Tally()) }
    let token = tally.observe(\.counter) { _, _ in note("observer") }
    let receipt = tally.mix {
      note("mix"); $0.counter = 1
    }
    #expect(receipt.outcomeIfKnown != nil && tally.state.counter == 1)
    let result = try await tally.transaction { state in
      note("transaction"); state.counter += 1
      return state.counter
    }
    #expect(result == 2)
    let thrown = tally.mix {
      $0.counter = 9
      throw Refused()
    }
    guard case .failed(let error)? = thrown.outcomeIfKnown else { return #expect(Bool(false), "\(thrown)") }
    #expect(error is Refused)
    await #expect(throws: Refused()) { try await tally.transaction { _ in throw Refused() } }
    #expect(tally.state.counter == 2 && log.all == [])
    token.cancel()
  }

  @Test func `while its own flux is locked it waits`() async {
    let flux = Flux()
    let number = Flux.$current.withValue(flux) { Substance(0) }
    let lock = flux.lock()
    let receipts = [number.mix { $0 += 1 }, number.mix { $0 += 1 }]
    #expect(receipts.allSatisfy { $0.outcomeIfKnown == nil } && number.state == 0)
    lock.release()
    #expect(receipts.allSatisfy { $0.outcomeIfKnown != nil } && number.state == 2)
  }
}
