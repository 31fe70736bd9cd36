import Testing

@testable import FlaskCore

@Suite(.ownFlux) struct ChainReactionTests {
  private let tally = Substance<Tally>()
  private let purse = Substance<Purse>()
  private let owner = Owner()

  private var reactor: Reactor<Owner> { Flask.reactor(attachedTo: owner, mixing: [tally, purse]) }

  @Test func `nothing happens before the chain is resolved`() {
    let ran = Recorder<Bool>()
    let chain = reactor.mix(tally) { _ in ran.append(true) }
    #expect(ran.count == 0)
    chain.react()
    #expect(ran.count == 1)
  }

  @Test func `every spelling continues and resolves the chain`() {
    reactor.mixing(tally) { $0.prop.counter += 1 }
      .mixing(tally) { $0.prop.counter += 10 }
      .with(tally) { $0.prop.counter += 100 }
      .and(tally) { $0.prop.counter += 1000 }
      .mix(purse) { $0.prop.coins = 1 }
      .andReact()
    #expect(tally.state.counter == 1111)
    #expect(purse.state.coins == 1)
  }

  @Test func `an aborted chain runs no closure`() {
    let ran = Recorder<Bool>()
    reactor.mix(tally) { _ in ran.append(true) }.abort()
    reactor.mix(tally) { _ in ran.append(true) }.with(purse) { _ in ran.append(true) }.andAbort()
    #expect(ran.count == 0)
  }

  @Test func `a chain that is never resolved does nothing and blocks nothing`() {
    let reactor = reactor
    do { _ = reactor.mix(tally) { $0.prop.counter = 1 }.mix(purse) { $0.prop.coins = 1 } }
    #expect(FaultLog.takeKinds() == [.chainNotResolved])
    reactor.mix(tally) { $0.prop.counter += 5 }.react()
    #expect(tally.state.counter == 5)
  }

  @Test func `a chain keeps its substances until it has been performed`() async {
    let lock = Flask.lock()
    let receipt: FluxReceipt
    do {
      let short = Substance<Tally>()
      receipt = Flask.reactor(attachedTo: owner, mixing: [short]).mix(short) { $0.prop.counter = 1 }.react()
    }
    lock.release()
    #expect(await receipt.outcome.description == "committed(counter)")
  }
}
