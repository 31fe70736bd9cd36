import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Objects that hear global mixers without a substance.
@Suite(.ownFlux) struct MixerObservationTests {
  enum Events: SubstanceMixer { case login, logout }

  private let log = Recorder<String>()
  private let flux = Flux.current

  @Test func `an observer hears a mixer that no substance defines, until it is cancelled or released`() {
    let token = flux.observe(mixer: Events.login) { [log] in
      log.append("first \($0?["user"] as? String ?? "")")
    }
    do {
      let short = flux.observe(mixer: Events.login) { [log] _ in log.append("second") }
      Flask.substances(reactTo: Events.login, payload: ["user": "Ada"])
      withExtendedLifetime(short) {}
    }
    Flask.substances(reactTo: Events.logout)
    Flask.substances(reactTo: Events.login)
    token.cancel()
    Flask.substances(reactTo: Events.login)
    #expect(log.all == ["first Ada", "second", "first "])
    #expect(FaultLog.takeKinds() == .inDebugBuilds(.mixerWithoutSubstance))
  }

  @Test func `it is called after the commit, and its mixes come afterwards`() {
    let tally = Substance(Tally())
    let board = ReactiveSubstance(Tally()) { on in on(Events.login) { state, _ in state.counter += 1 } }
    let observed = board.observe(\.counter, isolation: nil) { [log] _, new in log.append("state \(new)") }
    let token = flux.observe(mixer: Events.login) { [log] _ in
      let receipt = tally.mix { $0.counter = board.state.counter }
      log.append("heard \(board.state.counter) \(receipt)")
    }
    Flask.substances(reactTo: Events.login)
    #expect(log.all == ["state 1", "heard 1 FluxReceipt(waiting)"])
    #expect(tally.state.counter == 1)
    withExtendedLifetime((token, observed)) {}
  }

  @Test func `a mixer that was aborted or has thrown is not heard, one with a lock is`() {
    let board = ReactiveSubstance(Tally()) { on in on(Events.login) { _, _ in throw Oops() } }
    let tokens = [Events.login, .logout].map { event in
      flux.observe(mixer: event) { [log] _ in log.append("\(event)") }
    }
    _ = Flask.substances(reactTo: Events.login).quiet
    #expect(log.all == [])
    flux.lock(withMixer: Events.logout, autorelease: true).release()
    #expect(log.all == ["logout"])
    withExtendedLifetime((board, tokens)) {}
  }
}
