import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Promise 5 of the flux: receipts.
@Suite(.ownFlux) struct FluxReceiptTests {
  private let tally = Watched<Tally>()

  @Test func `a change is committed, with the changed keys in the order of declaration`() async {
    let receipt = tally.mix {
      $0.prop.text = "x"
      $0.prop.counter = 1
    }
    #expect(receipt.outcomeIfKnown?.description == "committed(counter, text)")
    #expect(await receipt.outcome.description == "committed(counter, text)")
  }

  @Test func `keys of nested properties follow their parents`() {
    let profile = Watched<Profile>()
    let receipt = profile.mix { $0.prop.info.nest.foo = "x" }
    #expect(receipt.outcomeIfKnown?.description == "committed(info, info.nest, info.nest.foo)")
  }

  @Test func `a mix that changes nothing is unchanged`() {
    let receipt = tally.mix { $0.prop.counter = 0 }
    #expect(receipt.outcomeIfKnown?.description == "unchanged")
    #expect(tally.heard.all == [])
  }

  @Test func `an aborted chain is aborted`() {
    let receipt = tally.reactor.mix(tally.substance) { $0.prop.counter = 1 }.abort()
    #expect(receipt.outcomeIfKnown?.description == "aborted")
  }

  @Test func `an error thrown is passed on`() {
    let receipt = tally.mix { _ in throw Oops() }
    guard case .failed(let error)? = receipt.outcomeIfKnown else { return #expect(Bool(false)) }
    #expect(error is Oops)
  }

  @Test func `a purged operation is purged, and its closure never runs`() async {
    let lock = Flask.lock()
    let receipt = tally.mix { $0.prop.counter = 1 }
    #expect(receipt.outcomeIfKnown == nil)
    Flask.purgeFluxQueue()
    #expect(await receipt.outcome.description == "purged")
    lock.release()
    #expect(tally.substance.state.counter == 0)
  }

  @Test func `a receipt may be awaited by several tasks before and after the end`() async {
    let lock = Flask.lock()
    let receipt = tally.mix { $0.prop.counter = 1 }
    async let first = receipt.outcome
    async let second = receipt.outcome
    lock.release()
    let outcomes = await [first, second, receipt.outcome].map(\.description)
    #expect(outcomes == ["committed(counter)", "committed(counter)", "committed(counter)"])
  }

  @Test func `a waiting operation reports every outcome`() async {
    let lock = Flask.lock()
    let receipts = [
      tally.mix { $0.prop.counter = 1 },
      tally.mix { _ in },
      tally.mix { _ in throw Oops() },
      Flask.substances(reactTo: ClerkMixers.note),
      tally.mix { $0.prop._hidden = 1 },
    ]
    lock.release()
    var outcomes: [String] = []
    for receipt in receipts { outcomes.append(await receipt.outcome.description) }
    #expect(outcomes == ["committed(counter)", "unchanged", "failed(Oops())", "unchanged", "unchanged"])
    #expect(FaultLog.takeKinds() == .inDebugBuilds(.mixerWithoutSubstance))
  }

  @Test func `the outcome of a waiting operation is known once its reactions have been delivered`() {
    let known = Recorder<Bool>()
    let receipts = Recorder<FluxReceipt>()
    let other = Flask.reactor(attachedTo: known, mixing: [tally.substance]) { known, _ in
      known.append(receipts.all[0].outcomeIfKnown != nil)
    }
    let lock = Flask.lock()
    receipts.append(tally.mix { $0.prop.counter = 1 })
    lock.release()
    #expect(known.all == [false])
    #expect(receipts.all[0].outcomeIfKnown?.description == "committed(counter)")
    other.unbind()
  }

  @Test func `keys of several substances come in the order in which the operation named them`() {
    let other = Substance<Purse>()
    let reactor = Flask.reactor(attachedTo: tally.owner, mixing: [tally.substance, other])
    let receipt = reactor.mix(other) { $0.prop.coins = 1 }.mix(tally.substance) { $0.prop.text = "x" }.react()
    #expect(receipt.outcomeIfKnown?.description == "committed(coins, text)")
  }
}

extension FluxReceiptTests {
  @Test(arguments: 1...5) func `the keys of any number of substances follow each other`(count: Int) {
    let substances = (0..<count).map { _ in Substance<Tally>() }
    let owner = Owner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: substances)
    var chain = reactor.mix(substances[0]) { $0.prop.counter = 1 }
    for substance in substances.dropFirst() { chain = chain.mix(substance) { $0.prop.text = "x" } }
    let keys = ["counter"] + Array(repeating: "text", count: count - 1)
    #expect(chain.react().outcomeIfKnown?.description == "committed(\(keys.joined(separator: ", ")))")
  }

  @Test(arguments: [true, false]) func `the keys of states with more than 64 of them keep their place`(
    isFirst: Bool
  ) {
    let wide = Substance<WideState>()
    let small = Substance<Tally>()
    let owner = Owner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [wide, small])
    let change: @Sendable (Substance<WideState>) -> Void = {
      $0.prop.f000 = 1
      $0.prop.f063 = 1
      $0.prop.f066 = 1
      $0.prop.f255 = 1
    }
    let receipt =
      isFirst
      ? reactor.mix(wide, change).mix(small) { $0.prop.counter = 1 }.react()
      : reactor.mix(small) { $0.prop.counter = 1 }.mix(wide, change).react()
    let wideKeys = ["f000", "f063", "f066", "f255"]
    let keys = isFirst ? wideKeys + ["counter"] : ["counter"] + wideKeys
    #expect(receipt.outcomeIfKnown?.description == "committed(\(keys.joined(separator: ", ")))")
  }
}

extension FluxReceiptTests {
  @Test func `tasks that wait are notified, however many and however early they came`() async {
    let lock = Flask.lock()
    let receipt = tally.mix { $0.prop.counter = 1 }
    let come = Recorder<Bool>()
    let waiting = (0..<20).map { _ in
      Task {
        come.append(true)
        return await receipt.outcome.description
      }
    }
    // Most of them wait by then; the last may find the outcome.
    while come.count < 20 { await Task.yield() }
    lock.release()
    for task in waiting { #expect(await task.value == "committed(counter)") }
  }
}
