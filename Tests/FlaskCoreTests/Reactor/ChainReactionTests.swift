import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

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

extension ChainReactionTests {
  private func chain(of count: Int, _ ran: Recorder<Int>) -> FluxReceipt {
    var chain = reactor.mix(tally) { _ in ran.append(0) }
    for number in 1..<count { chain = chain.mix(number % 2 == 0 ? tally : tally) { _ in ran.append(number) } }
    return chain.mix(purse) { $0.prop.coins += 1 }.react()
  }

  @Test(arguments: [1, 2, 3, 4, 50]) func `any number of closures run in order, at once and after a wait`(
    count: Int
  ) async {
    let ran = Recorder<Int>()
    #expect(chain(of: count, ran).outcomeIfKnown?.description == "committed(coins)")
    #expect(ran.take() == Array(0..<count))
    let lock = Flask.lock()
    let receipt = chain(of: count, ran)
    #expect(ran.all == [])
    lock.release()
    #expect(await receipt.outcome.description == "committed(coins)")
    #expect(ran.take() == Array(0..<count))
    #expect(purse.state.coins == 102)
  }

  @Test func `however a chain ends, it releases its closures and substances`() async {
    for steps in 1...4 {
      for ending in ["react", "abort", "throw", "refuse", "drop", "wait", "purge"] {
        let gone = Recorder<String>()
        var weak: [OwnerReference<Substance<Tally>>] = []
        var receipt: FluxReceipt?
        do {
          let words = LastWords { gone.append("words") }
          let substances = (0..<4).map { _ in Substance<Tally>() }
          weak = substances.map { OwnerReference($0) }
          let known = ending == "refuse" ? Array(substances.dropFirst()) : substances
          let reactor = Flask.reactor(attachedTo: owner, mixing: known)
          let lock = ending == "wait" || ending == "purge" ? Flask.lock() : nil
          var chain = reactor.mix(substances[0]) { _ in withExtendedLifetime(words) {} }
          for number in 1..<max(steps, 2) where number < steps {
            chain = chain.mix(substances[number]) { _ in
              withExtendedLifetime(words) {}
              if ending == "throw" { throw Oops() }
            }
          }
          switch ending {
          case "abort": receipt = chain.abort()
          case "drop": _ = consume chain
          default: receipt = chain.react()
          }
          if ending == "purge" { Flask.purgeFluxQueue() }
          lock?.release()
          ReactorManager.release([reactor])
        }
        _ = await receipt?.outcome
        #expect(gone.all == ["words"], "\(ending) after \(steps)")
        #expect(weak.allSatisfy { $0.object == nil }, "\(ending) after \(steps)")
        _ = FaultLog.takeKinds()
      }
    }
  }
}
