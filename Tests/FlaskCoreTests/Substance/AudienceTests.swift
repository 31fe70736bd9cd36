import Foundation
import Testing

@testable import FlaskCore

/// Who listens changes while it is told.
@Suite(.ownFlux) struct AudienceTests {
  private let tally = Watched<Tally>()

  @Test func `who is added in a reaction hears the next one, and who is removed not even this one`() {
    let heard = Recorder<String>()
    let tokens = Recorder<SubstanceObservation>()
    let substance = tally.substance
    let last = substance.observe(\.text) { _, new in heard.append("last \(new)") }
    let first = substance.observe(\.counter) { _, new in
      heard.append("first \(new)")
      last.cancel()
      tokens.append(substance.observe(\.text) { _, new in heard.append("added \(new)") })
    }
    for number in 1...2 {
      tally.mix {
        $0.prop.counter = number
        $0.prop.text = "\(number)"
      }
    }
    #expect(heard.all == ["first 1", "first 2", "added 2"])
    withExtendedLifetime(first) {}
  }

  @Test func `what an observer holds that is cancelled in its own handler goes when the operation has ended`()
  {
    let said = Recorder<Int>()
    let tokens = Recorder<SubstanceObservation>()
    do {
      let words = LastWords { said.append(1) }
      let token = tally.substance.observe(\.counter) { _, _ in
        for token in tokens.take() { token.cancel() }
        withExtendedLifetime(words) {}
      }
      tokens.append(token)
    }
    #expect(said.all == [])
    tally.mix { $0.prop.counter = 1 }
    #expect(said.all == [1])
  }

  @Test func `what an observer holds that ends while nothing goes on goes at once`() {
    let said = Recorder<Int>()
    let held = LastWords { said.append(1) }
    var token: SubstanceObservation? = tally.substance.observe(\.counter) { [held] _, _ in
      withExtendedLifetime(held) {}
    }
    withExtendedLifetime(token) {}
    #expect(said.all == [])
    token = nil
    tally.mix { $0.prop.counter = 1 }
    #expect(said.all == [])
  }

  @Test func `observers and reactors come and go on three threads while a fourth mixes`() async {
    let (tally, counted) = (tally, Recorder<Int>())
    let always = tally.substance.observe(\.counter) { _, new in counted.append(new) }
    let rounds = 2000
    await OtherThread.run(times: 4) { thread in
      for round in 0..<rounds {
        switch thread {
        case 0: tally.mix { $0.prop.counter += 1 }
        case 1: tally.substance.observe(\.counter) { _, _ in }.cancel()
        case 2: withExtendedLifetime(tally.substance.observe("text") { _ in }) {}
        default:
          tally.reactor.unbind()
          tally.reactor.bind()
          if round % 10 == 0 { withExtendedLifetime(Watched(tally.substance)) {} }
        }
      }
    }
    _ = await tally.mix { _ in }.outcome
    #expect(tally.substance.state.counter == rounds)
    #expect(counted.all == Array(1...rounds))
    withExtendedLifetime(always) {}
    ReactorManager.purge()
  }
}
