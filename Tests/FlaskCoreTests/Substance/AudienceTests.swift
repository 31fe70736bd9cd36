import Foundation
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

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

  @Test func `what an observer holds that ends while nothing continues goes at once`() {
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

  @Test
  func `what goes in the course of an operation may mix in its deinit, over and over, on a small stack`()
    async
  {
    let (tally, count) = (tally, 5000)
    let kept = Recorder<SubstanceObservation>()
    await OtherThread.run {
      let tokens = Recorder<SubstanceObservation>()
      for _ in 0..<count {
        let words = LastWords { tally.mix { $0.prop.counter += 1 } }
        tokens.append(tally.substance.observe(\.text) { _, _ in withExtendedLifetime(words) {} })
      }
      let waiting = Recorder<SubstanceObservation>()
      for token in tokens.take().reversed() { waiting.append(token) }
      let remaining = Recorder<[SubstanceObservation]>()
      remaining.append(waiting.take())
      let driver = tally.substance.observe(\.counter) { _, _ in
        var tokens = remaining.take()[0]
        tokens.popLast()?.cancel()
        remaining.append(tokens)
      }
      tally.mix { $0.prop.counter += 1 }
      kept.append(driver)
    }
    // The thread hands over to others after a while.
    for _ in 0..<10_000 where tally.substance.state.counter <= count { _ = await tally.mix { _ in }.outcome }
    #expect(tally.substance.state.counter == count + 1)
  }

  @Test func `a handler may make and cancel thousands of observers`() {
    let (tally, heard) = (tally, Recorder<Int>())
    let count = Workload.count(2000, full: 10_000)
    let made = Recorder<[SubstanceObservation]>()
    let driver = tally.substance.observe(\.text) { _, new in
      if new == "make" {
        made.append(
          (0..<count).map { number in tally.substance.observe(\.counter) { _, _ in heard.append(number) } }
        )
      } else {
        for token in made.take()[0].reversed() { token.cancel() }
      }
    }
    tally.mix { $0.prop.text = "make" }
    tally.mix { $0.prop.counter = 1 }
    #expect(heard.take() == Array(0..<count))
    tally.mix { $0.prop.text = "cancel" }
    tally.mix { $0.prop.counter = 2 }
    #expect(heard.all == [])
    withExtendedLifetime(driver) {}
  }

  @Test func `a reactor bound in a handler hears all of the next operation and nothing of this one`() {
    let (first, second) = (Substance<Tally>(), Substance<Tally>())
    let (owner, late) = (Owner(), Owner())
    let heard = Recorder<String>()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [first, second])
    let newcomer = Flask.reactor(attachedTo: late, mixing: [first, second])
    newcomer.unbind()
    newcomer.handler = { _, reaction in heard.append(reaction.at(first) == nil ? "second" : "first") }
    reactor.handler = { _, _ in newcomer.bind() }
    for number in 1...2 {
      reactor.mix(first) { $0.prop.counter = number }.mix(second) { $0.prop.counter = number }.react()
      #expect(heard.take() == (number == 1 ? [] : ["first", "second"]))
    }
  }

  @Test func `observers and reactors are made and released on three threads while a fourth mixes`() async {
    let (tally, counted) = (tally, Recorder<Int>())
    let always = tally.substance.observe(\.counter) { _, new in counted.append(new) }
    let rounds = 2000
    await OtherThread.run(times: 4) { thread in
      for round in 0..<rounds {
        switch thread {
        case 0: tally.mix { $0.prop.counter += 1 }
        case 1: tally.substance.observe(\.counter) { _, _ in }.cancel()
        case 2: withExtendedLifetime(tally.substance.observe(key: "text") { _ in }) {}
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
