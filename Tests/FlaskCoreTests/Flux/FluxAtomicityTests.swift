import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Promise 4 of the flux: all or nothing.
@Suite(.ownFlux) struct FluxAtomicityTests {
  private let left = Substance<Purse>(name: "left")
  private let right = Substance<Purse>(name: "right")
  private let owner = Owner()

  private func reactor(_ log: Recorder<String> = Recorder()) -> Reactor<Owner> {
    Flask.reactor(attachedTo: owner, mixing: [left, right]) { _, reaction in
      reaction.on(Purse.prop.coins) { log.append($0.substance().name()) }
    }
  }

  @Test func `an error in the last closure discards the drafts of all`() {
    let log = Recorder<String>()
    let receipt = reactor(log)
      .mix(left) { $0.prop.coins -= 10 }
      .mix(right) { _ in throw Oops() }
      .react()
    #expect(receipt.outcomeIfKnown?.description == "failed(Oops())")
    #expect(left.state.coins == 100)
    #expect(right.state.coins == 100)
    #expect(log.all == [])
  }

  @Test func `closures after the one that throws do not run`() {
    let log = Recorder<String>()
    let receipt = reactor()
      .mix(left) { _ in throw Oops() }
      .mix(right) { _ in log.append("ran") }
      .react()
    #expect(receipt.description == "FluxReceipt(failed(Oops()))")
    #expect(log.all == [])
  }

  @Test func `the draft after a discarded one begins at the committed state`() {
    let reactor = reactor()
    reactor.mix(left) { $0.prop.coins = 1 }.mix(left) { _ in throw Oops() }.react()
    reactor.mix(left) { $0.prop.coins += 1 }.react()
    #expect(left.state.coins == 101)
    #expect(FaultLog.takeKinds() == [.errorDropped])
  }

  @Test func `nothing is committed before the last closure has run`() {
    let (left, right) = (left, right)
    reactor()
      .mix(left) { $0.prop.coins = 1 }
      .mix(right) { _ in #expect(left.state.coins == 100) }
      .react()
    #expect(left.state.coins == 1)
  }

  @Test func `all is committed before the first reaction`() {
    let (left, right) = (left, right)
    let seen = Recorder<[Int]>()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [left, right]) { _, _ in
      seen.append([left.state.coins, right.state.coins])
    }
    reactor.mix(left) { $0.prop.coins = 1 }.mix(right) { $0.prop.coins = 2 }.react()
    #expect(seen.all == [[1, 2], [1, 2]])
  }

  @Test func `reactions come in the order in which the operation first named the substances`() {
    let log = Recorder<String>()
    let reactor = reactor(log)
    let (left, right) = (left, right)
    reactor.mix(right) { $0.prop.coins = 1 }.mix(left) { $0.prop.coins = 1 }.react()
    reactor
      .mix(left) { $0.prop.coins = 2 }
      .mix(right) { $0.prop.coins = 2 }
      .mix(left) { $0.prop.coins = 3 }
      .react()
    #expect(log.all == ["right", "left", "left", "right"])
  }

  @Test func `reactors hear in the order in which they were bound`() {
    let log = Recorder<String>()
    let reactors = ["a", "b", "c"].map { name in
      Flask.reactor(attachedTo: owner, mixing: [left]) { _, _ in log.append(name) }
    }
    reactors[0].unbind()
    reactors[0].bind()
    reactors[1].mix(left) { $0.prop.coins = 1 }.react()
    #expect(log.all == ["b", "c", "a"])
  }

  @Test func `a substance that did not change is not heard of`() {
    let log = Recorder<String>()
    let receipt = reactor(log).mix(left) { $0.prop.coins = 100 }.mix(right) { $0.prop.coins = 1 }.react()
    #expect(log.all == ["right"])
    #expect(receipt.outcomeIfKnown?.description == "committed(coins)")
  }

  @Test func `closures of one chain see the drafts of the closures before them`() {
    let (left, right) = (left, right)
    reactor()
      .mix(left) { $0.prop.coins = 7 }
      .mix(right) { $0.prop.coins = left.prop.coins * 2 }
      .mix(left) { $0.prop.coins += right.prop.coins }
      .react()
    #expect([left.state.coins, right.state.coins] == [21, 14])
  }

  @Test func `a mixer that one substance aborts changes none`() {
    let first = Clerk()
    let second = Quitter()
    let receipt = Flask.substances(reactTo: ClerkMixers.add)
    #expect(receipt.outcomeIfKnown?.description == "aborted")
    #expect(first.state.counter == 0)
    #expect(second.state.counter == 0)
  }

  @Test func `readers on other threads see all of an operation or nothing of it`() async {
    let rounds = Workload.count(500, full: 10_000)
    // Many, so that a commit one by one would take long enough to be caught in the middle.
    let substances = (0..<512).map { _ in Substance<Tally>() }
    let reactor = Flask.reactor(attachedTo: owner, mixing: substances)
    let stop = Recorder<Bool>()
    let torn = Recorder<Int>()
    async let reading: Void = OtherThread.run(times: 2) { thread in
      // The counters only grow, so what is read later is never less.
      let (early, late) = thread == 0 ? (substances[0], substances[511]) : (substances[511], substances[0])
      while stop.count == 0 {
        let first = early.state.counter
        let second = late.state.counter
        if second < first { torn.append(first) }
      }
    }
    await OtherThread.run {
      for _ in 0..<rounds {
        var chain = reactor.mix(substances[0]) { $0.prop.counter += 1 }
        for substance in substances.dropFirst() { chain = chain.with(substance) { $0.prop.counter += 1 } }
        chain.react(isolation: nil)
      }
    }
    stop.append(true)
    await reading
    #expect(torn.all == [])
    #expect(substances.map(\.state.counter) == Array(repeating: rounds, count: 512))
  }
}
