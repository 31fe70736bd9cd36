import Foundation
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct FaultRoutingTests {
  @Test func `a write outside a mix is dropped, and a read gives the committed state`() {
    let tally = Watched<Tally>()
    tally.mix { $0.prop.counter = 3 }
    tally.substance.prop.counter = 9
    #expect(tally.substance.state.counter == 3)
    #expect(tally.substance.prop.counter == 3)
    tally.mix { $0.prop.counter += 1 }
    #expect(tally.substance.state.counter == 4)
    #expect(FaultLog.takeKinds() == [.propOutsideMix, .propOutsideMix])
  }

  @Test func `a fault of prop says what to write in its place`() {
    let tally = Substance<Tally>(name: "tally")
    tally.prop.counter = 9
    tally.mix { $0.counter = tally.prop.counter }
    // Where a caller can't be found, the message ends with a remark on that in parentheses.
    let told = FaultLog.current.take().map { $0.message.components(separatedBy: " (the line")[0] }
    let written: String =
      "`prop` of tally was written outside a mix of it; read `state`, or write inside `mix { $0.title = … }`"
    let read: String = """
      `prop` of tally was read while another access to it was writing; inside a closure that was given the draft, \
      as in `mix { $0.title = … }`, use the closure's argument; else read what you need before, and write after \
      the first access has ended
      """
    #expect(told == [written, read])
  }

  @Test func `prop in a reaction is a fault, since the mix is over`() {
    let tally = Substance<Tally>()
    let owner = Owner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: tally)
    reactor.handler = { _, _ in tally.prop.counter = 7 }
    reactor.mix(tally) { $0.prop.counter = 1 }.react()
    #expect(tally.state.counter == 1)
    #expect(FaultLog.takeKinds() == [.propOutsideMix])
  }

  @Test func `prop after an aborted or failed mix is a fault`() {
    let tally = Watched<Tally>()
    tally.mix { _ in throw Oops() }
    tally.substance.prop.counter = 1
    #expect(FaultLog.takeKinds() == [.errorDropped, .propOutsideMix])
  }

  @Test func `prop on another thread during a mix is a fault`() async {
    let tally = Watched<Tally>()
    let (isIn, mayGo) = (Signal(), Gate())
    async let mixing: Void = OtherThread.run {
      tally.mix {
        $0.prop.counter = 1
        isIn.fire()
        mayGo.wait()
      }
      return
    }
    await isIn.wait()
    tally.substance.prop.counter = 9
    mayGo.open()
    await mixing
    #expect(tally.substance.state.counter == 1)
    #expect(FaultLog.takeKinds() == [.propOutsideMix])
  }

  @Test func `a chain that is refused is aborted`() {
    let tally = Watched<Tally>()
    let stranger = Substance<Tally>()
    let receipt = tally.reactor
      .mix(tally.substance) { $0.prop.counter = 1 }
      .mix(stranger) { $0.prop.counter = 1 }
      .react()
    #expect(receipt.outcomeIfKnown?.description == "aborted")
    #expect(tally.substance.state.counter == 0)
    #expect(FaultLog.takeKinds() == [.substanceNotOfReactor])
  }

  @Test func `each kind of fault has a name`() {
    #expect(FlaskFault.Kind.unknownKey.rawValue == "unknownKey")
    let fault = FlaskFault(.unknownKey, "what", at: SourcePlace("M/F.swift", 3))
    #expect(fault.description == "M/F.swift:3: Flask fault (unknownKey): what")
  }

  @Test func `without a handler of its flux a fault goes to Flask.onFault`() async {
    await #expect(processExitsWith: .success) {
      let kinds = Recorder<FlaskFault.Kind>()
      Flask.onFault = { kinds.append($0.kind) }
      Substance<Tally>().prop.counter = 1
      precondition(kinds.all == [.propOutsideMix])
    }
  }

  @Test func `by default a fault is one line on standard error`() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Substance<Tally>(name: "feed").prop.counter = 1
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Flask fault (propOutsideMix): `prop` of feed was written outside a mix"))
  }
}

extension FaultRoutingTests {
  @Test func `a handler of faults stays as it is, however many it has received`() async {
    let count = await OtherThread.run {
      let log = FaultLog()
      let flux = Flux()
      flux.onFault = { log.append($0) }
      for _ in 0..<100_000 { _ = flux.onFault }
      flux.onFault = flux.onFault
      for _ in 0..<1000 { flux.report(.unknownKey, "again", at: SourcePlace(#fileID, #line)) }
      return log.take().count
    }
    #expect(count == 1000)
  }
}
