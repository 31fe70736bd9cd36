import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct ReactiveSubstanceTests {
  @Test func `a mixer is answered with its payload, with no reactor attached`() {
    let clerk = Clerk()
    let receipt = Flask.substances(reactTo: ClerkMixers.add, payload: ["by": 5])
    #expect(receipt.outcomeIfKnown?.description == "committed(counter)")
    Flask.applyMixer(ClerkMixers.add)
    #expect(clerk.state.counter == 6)
  }

  @Test func `every living substance that defines the mixer answers, in the order they were made`() {
    let log = Recorder<String>()
    let clerks = [Clerk(name: "a"), Clerk(name: "b"), Clerk(name: "c")]
    let reactor = Flask.reactor(attachedTo: log, mixing: clerks) { log, reaction in
      reaction.on("counter") { log.append($0.substance().name()) }
    }
    Flask.substances(reactTo: ClerkMixers.add)
    #expect(log.all == ["a", "b", "c"])
    withExtendedLifetime((clerks, reactor)) {}
  }

  @Test func `a substance is not kept alive by its closures`() {
    weak var gone: Clerk?
    do {
      let clerk = Clerk()
      gone = clerk
      Flask.substances(reactTo: ClerkMixers.add)
    }
    #expect(gone == nil)
    #expect(Flask.substances(reactTo: ClerkMixers.add).outcomeIfKnown?.description == "unchanged")
    #expect(FaultLog.takeKinds() == .inDebugBuilds(.mixerWithoutSubstance))
  }

  @Test func `two enums with equal case names are different mixers`() {
    enum Other: SubstanceMixer { case call }
    let caller = Recorder<Bool>()
    let substance = Caller { caller.append(true) }
    Flask.substances(reactTo: Other.call)
    #expect(caller.count == 0)
    #expect(FaultLog.takeKinds() == .inDebugBuilds(.mixerWithoutSubstance))
    Flask.substances(reactTo: CallerMixers.call)
    #expect(caller.count == 1)
    withExtendedLifetime(substance) {}
  }

  @Test(arguments: [
    (ClerkMixers.quit, "aborted", 0, nil),
    (.fail, "failed(Oops())", 0, nil),
    (.forget, "aborted", 0, FlaskFault.Kind.mixerNotResolved),
    (.both, "committed(counter)", 10, .mixerResolvedTwice),
    (.twice, "committed(counter)", 20, .mixerResolvedTwice),
  ])
  func `each way to end a mixer`(mixer: ClerkMixers, outcome: String, counter: Int, fault: FlaskFault.Kind?) {
    let clerk = Clerk()
    #expect(Flask.substances(reactTo: mixer).outcomeIfKnown?.description == outcome)
    #expect(clerk.state.counter == counter)
    #expect(FaultLog.takeKinds() == (fault.map { [$0] } ?? []))
  }

  @Test func `of a mixer defined twice the first definition counts`() {
    let doubler = Doubler()
    Flask.substances(reactTo: CallerMixers.call)
    #expect(doubler.state.counter == 1)
    #expect(FaultLog.takeKinds() == [.mixerDefinedTwice])
  }

  @Test func `a mixer defined outside defineMixers is not defined`() {
    let quitter = Quitter()
    quitter.define(mix: .note) { _, react, _ in
      quitter.prop.counter = 7
      react()
    }
    Flask.substances(reactTo: ClerkMixers.note)
    #expect(quitter.state.counter == 0)
    #expect(FaultLog.takeKinds() == [.defineOutsideDefineMixers])
  }

  @Test func `a mixer of an enum that no one knows is unchanged, and a fault once`() {
    for _ in 0..<3 {
      #expect(Flask.substances(reactTo: CallerMixers.call).outcomeIfKnown?.description == "unchanged")
    }
    let faults = FaultLog.current.take()
    #expect(faults.map(\.kind) == .inDebugBuilds(.mixerWithoutSubstance))
    let line: UInt = #line - 4
    #expect(faults.map(\.line) == (faults.isEmpty ? [] : [line]))
  }

  @Test func `a mixer that no one defines, of an enum that someone does, is unchanged and no fault`() {
    enum Two: SubstanceMixer { case first, second }
    final class One: ReactiveSubstance<Tally, Two>, @unchecked Sendable {
      override func defineMixers() { define(mix: .first) { _, react, _ in react() } }
    }
    let one = One()
    #expect(Flask.substances(reactTo: Two.second).outcomeIfKnown?.description == "unchanged")
    withExtendedLifetime(one) {}
  }

  @Test func `a mixer submitted from any thread reaches its substances`() async {
    let (clerk, flux) = (Clerk(), Flux.current)
    await OtherThread.run(times: 4) { _ in
      Flux.$current.withValue(flux) {
        for _ in 0..<500 { Flask.substances(reactTo: ClerkMixers.add) }
      }
    }
    _ = await Flask.substances(reactTo: ClerkMixers.note).outcome
    #expect(clerk.state.counter == 2000)
  }

  @Test func `substances that come and go while mixers run are answered or not, never half`() async {
    let flux = Flux.current
    let keeper = Clerk()
    await OtherThread.run(times: 4) { thread in
      Flux.$current.withValue(flux) {
        for _ in 0..<300 {
          if thread.isMultiple(of: 2) {
            Flask.substances(reactTo: ClerkMixers.add)
          } else {
            _ = Clerk()
          }
        }
      }
    }
    _ = await Flask.substances(reactTo: ClerkMixers.note).outcome
    #expect(keeper.state.counter == 600)
  }
}
