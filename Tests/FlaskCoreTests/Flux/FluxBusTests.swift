import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Promise 8 of the flux: buses.
@Suite(.ownFlux) struct FluxBusTests {
  @Test func `a substance belongs to the flux that was current when it was made`() {
    let other = Flux()
    let here = Substance<Tally>()
    let there = Flux.$current.withValue(other) { Substance<Tally>() }
    #expect(here.flux === Flux.current)
    #expect(there.flux === other)
  }

  @Test func `outside any scope the shared flux is current`() async {
    let isShared = await OtherThread.run { Flux.current === Flask.bus }
    #expect(isShared)
  }

  @Test func `a mix goes to the flux of its substance, whatever flux is current`() {
    let tally = Watched<Tally>()
    let other = Flux()
    Flux.$current.withValue(other) {
      let lock = Flask.lock()
      tally.mix { $0.prop.counter = 1 }
      lock.release()
    }
    #expect(tally.substance.state.counter == 1)
  }

  @Test func `a locked flux does not hold up another`() {
    let lock = Flask.lock()
    let other = Flux.$current.withValue(Flux()) { Watched<Tally>() }
    let here = Watched<Tally>()
    here.mix { $0.prop.counter = 1 }
    other.mix { $0.prop.counter = 1 }
    #expect(here.substance.state.counter == 0)
    #expect(other.substance.state.counter == 1)
    lock.release()
    #expect(here.substance.state.counter == 1)
  }

  @Test func `mixers reach the substances of their flux alone`() {
    let here = Clerk()
    let there = Flux.$current.withValue(Flux()) { Clerk() }
    Flask.substances(reactTo: ClerkMixers.add)
    #expect(here.state.counter == 1)
    #expect(there.state.counter == 0)
  }

  @Test func `removing locks and purging touch the current flux alone`() {
    let other = Flux()
    let lock = other.lock()
    let there = Flux.$current.withValue(other) { Watched<Tally>() }
    there.mix { $0.prop.counter = 1 }
    Flask.removeLocks()
    Flask.purgeFluxQueue()
    #expect(lock.isHeld)
    #expect(other.waitingCount == 1)
    lock.release()
    #expect(there.substance.state.counter == 1)
  }

  @Test func `a mix on another flux inside a mix is performed at once`() {
    let here = Watched<Tally>()
    let there = Flux.$current.withValue(Flux()) { Watched<Tally>() }
    here.mix {
      there.mix { $0.prop.counter = 1 }
      $0.prop.counter = there.substance.state.counter + 1
    }
    #expect(here.substance.state.counter == 2)
  }

  @Test func `a fault is reported to the flux on which it happened`() {
    let other = Flux()
    let faults = Recorder<FlaskFault.Kind>()
    other.onFault = { faults.append($0.kind) }
    let there = Flux.$current.withValue(other) { Substance<Tally>() }
    there.prop.counter = 1
    #expect(faults.all == [.propOutsideMix])
  }

  @Test func `a reactor may hear substances of several fluxes`() {
    let here = Substance<Tally>(name: "here")
    let there = Flux.$current.withValue(Flux()) { Substance<Tally>(name: "there") }
    let owner = Owner()
    let log = Recorder<String>()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [here, there]) { _, reaction in
      reaction.on(Tally.prop.counter) { log.append($0.substance().name()) }
    }
    reactor.mix(here) { $0.prop.counter = 1 }.react()
    reactor.mix(there) { $0.prop.counter = 1 }.react()
    #expect(log.all == ["here", "there"])
  }

  @Test func `a flux of one's own goes when nothing of it is left`() {
    weak var gone: Flux?
    do {
      let flux = Flux()
      gone = flux
      Flux.$current.withValue(flux) {
        let tally = Watched<Tally>()
        tally.mix { $0.prop.counter = 1 }
        let lock = Flask.lock()
        lock.release()
      }
    }
    ReactorManager.purge(until: { gone == nil })
    #expect(gone == nil)
  }
}
