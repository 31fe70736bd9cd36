import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Promise 6 of the flux: handlers may call anything. A test that breaks it never ends.
@Suite(.ownFlux) struct FluxReentrancyTests {
  private let tally = Watched<Tally>()

  /// Everything that touches the flux, its tables or its locks.
  private static func callEverything(_ tally: Watched<Tally>) {
    let flux = tally.substance.flux
    Flux.$current.withValue(flux) {
      let owner = Owner()
      let extra = Flask.reactor(attachedTo: owner, mixing: [tally.substance]) { _, _ in }
      extra.unbind()
      extra.bind()
      extra.handler = { _, _ in }
      Flask.detachReactor(from: owner)
      let listener = KeysListener()
      Flask.attachReactor(to: listener, mixing: tally.substance)
      _ = Flask.getReactor(attachedTo: listener)
      Flask.detachReactor(from: listener)
      _ = ReactorManager.reactors.count
      ReactorManager.purge()
      let clerk = Clerk()
      Flask.substances(reactTo: ClerkMixers.add)
      let lock = Flask.lock()
      lock.onRelease = { _ in _ = flux.locks }
      Flask.lock(withMixer: ClerkMixers.note, autorelease: true)
      tally.mix { $0.prop.text += "." }
      Flask.purgeFluxQueue()
      lock.release()
      Flask.removeLocks()
      _ = tally.substance.state.counter
      tally.substance.captureState()
      tally.substance.rollbackState()
      tally.substance.commitState()
      tally.substance.name(as: "renamed")
      Flask.performInFluxQueue { _ = flux.waitingCount }
      _ = clerk.name()
    }
  }

  @Test func `from a mix closure`() {
    let tally = tally
    tally.mix {
      $0.prop.counter = 1
      Self.callEverything(tally)
    }
    #expect(tally.substance.state.counter == 1)
  }

  @Test func `from a handler`() {
    let tally = tally
    let calls = Recorder<Bool>()
    let other = Flask.reactor(attachedTo: calls, mixing: [tally.substance]) { calls, _ in
      if calls.count == 0 {
        calls.append(true)
        Self.callEverything(tally)
      }
    }
    tally.mix { $0.prop.counter = 1 }
    #expect(calls.count == 1)
    other.unbind()
  }

  @Test func `from onRelease`() {
    let tally = tally
    let lock = Flask.lock()
    lock.onRelease = { _ in Self.callEverything(tally) }
    lock.release()
    #expect(tally.substance.flux.locks == [])
  }

  @Test func `from onFault`() {
    let tally = tally
    let kinds = Recorder<FlaskFault.Kind>()
    tally.substance.flux.onFault = { fault in
      kinds.append(fault.kind)
      if kinds.count == 1 { Self.callEverything(tally) }
    }
    tally.substance.prop.counter = 1
    #expect(kinds.all == [.propOutsideMix])
  }

  @Test func `from a closure of the flux queue`() {
    let tally = tally
    Flask.performInFluxQueue { Self.callEverything(tally) }
    #expect(tally.substance.flux.waitingCount == 0)
  }

  @Test func `from a mixer`() {
    let tally = tally
    let caller = Caller { Self.callEverything(tally) }
    #expect(Flask.substances(reactTo: CallerMixers.call).outcomeIfKnown?.description == "unchanged")
    #expect(caller.state.counter == 0)
  }

  @Test func `from the raw value of a mixer, while the flux is locked`() {
    let flux = Flux.current
    let lock = Flask.lock()
    Flask.substances(reactTo: CuriousMixer(flux: flux))
    #expect(flux.waitingCount == 1)
    lock.release()
    #expect(FaultLog.takeKinds() == .inDebugBuilds(.mixerWithoutSubstance))
  }

  @Test func `from the deinit of what a replaced onFault held`() {
    let flux = Flux.current
    let count = Recorder<Int>()
    let collect = flux.onFault
    do {
      let token = LastWords { count.append(flux.onFault == nil ? 0 : 1) }
      flux.onFault = { _ in withExtendedLifetime(token) {} }
    }
    flux.onFault = collect
    #expect(count.all == [1])
  }

  @Test func `from the deinit of what a replaced onRelease held`() {
    let lock = Flask.lock()
    let count = Recorder<Bool>()
    do {
      let token = LastWords { count.append(lock.isHeld) }
      lock.onRelease = { _ in withExtendedLifetime(token) {} }
    }
    lock.onRelease = nil
    #expect(count.all == [true])
    lock.release()
  }

  @Test func `from the deinit of what a replaced handler held`() {
    let reactor = tally.reactor
    let count = Recorder<Bool>()
    do {
      let token = LastWords { count.append(reactor.handler != nil && reactor.isBound) }
      reactor.handler = { _, _ in withExtendedLifetime(token) {} }
    }
    reactor.handler = { _, _ in }
    #expect(count.all == [true])
  }

  @Test func `from the deinit of what a purged operation held`() {
    let flux = Flux.current
    let lock = Flask.lock()
    let count = Recorder<Int>()
    do {
      let token = LastWords { count.append(flux.waitingCount) }
      tally.mix { _ in withExtendedLifetime(token) {} }
    }
    Flask.purgeFluxQueue()
    #expect(count.all == [0])
    lock.release()
  }

  @Test func `from the deinit of what an old state held`() {
    let count = Recorder<Int>()
    let holder = Substance<Holder>()
    let owner = Owner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [holder])
    let flux = Flux.current
    reactor.mix(holder) { $0.prop.token = LastWords { count.append(flux.locks.count) } }.react()
    reactor.mix(holder) { $0.prop.token = nil }.react()
    #expect(count.all == [0])
  }
}
