import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Each of these was seen in the two frameworks that this one follows, and is not to be repeated.
@Suite(.ownFlux) struct FaultsOfTheOriginalsTests {
  private let tally = Substance<Tally>(name: "tally")
  private let owner = Owner()

  @Test func `an aborted chain leaves no mutated value in the state`() {
    let reactor = Flask.reactor(attachedTo: owner, mixing: [tally])
    reactor.mix(tally) { $0.prop.counter = 9 }.abort()
    #expect(tally.state.counter == 0)
    reactor.mix(tally) { $0.prop.text = "x" }.react()
    #expect(tally.state.counter == 0)
  }

  @Test func `an aborted mixer leaves no mutated value in the state`() {
    let clerk = Clerk()
    Flask.substances(reactTo: ClerkMixers.quit)
    #expect(clerk.state.counter == 0)
    Flask.substances(reactTo: ClerkMixers.add)
    #expect(clerk.state.counter == 1)
  }

  @Test func `a chain over several substances commits them together, in the order of the chain`() {
    let substances = (0..<8).map { Substance<Tally>(name: "\($0)") }
    let log = Recorder<String>()
    let reactor = Flask.reactor(attachedTo: owner, mixing: substances) { _, reaction in
      let committed = substances.filter { $0.state.counter == 1 }.count
      reaction.on("counter") { log.append("\($0.substance().name()):\(committed)") }
    }
    var chain = reactor.mix(substances[7]) { $0.prop.counter = 1 }
    for number in [3, 0, 6, 1, 5, 2, 4] { chain = chain.with(substances[number]) { $0.prop.counter = 1 } }
    chain.react()
    #expect(log.all == ["7:8", "3:8", "0:8", "6:8", "1:8", "5:8", "2:8", "4:8"])
  }

  @Test func `an attached reactor does not hold its owner, and is disposed of after it`() {
    weak var listener: KeysListener?
    weak var reactor: AnyReactor?
    let other = Watched(tally)
    do {
      let owner = KeysListener()
      listener = owner
      reactor = Flask.attachReactor(to: owner, mixing: tally)
    }
    #expect(listener == nil)
    other.mix { $0.prop.counter = 1 }
    // A test on another thread that looks at all reactors may hold it for a moment.
    spin { reactor == nil }
    #expect(reactor == nil)
  }

  @Test func `detaching works in every build`() {
    let listener = KeysListener()
    let reactor = Flask.attachReactor(to: listener, mixing: tally)
    Flask.detachReactor(from: listener)
    #expect(!reactor.isBound)
    Watched(tally).mix { $0.prop.counter = 1 }
    #expect(listener.heard.all == [])
    #expect(!ReactorManager.reactors.contains { $0 === reactor })
  }

  @Test func `substances without a name do not share their reactors`() {
    let (first, second) = (Watched<Tally>(), Watched<Tally>())
    first.mix { $0.prop.counter = 1 }
    #expect(first.heard.all == [["counter"]])
    #expect(second.heard.all == [])
    #expect(second.substance.state.counter == 0)
  }

  @Test func `an untouched nested struct is not reported as changed`() {
    let profile = Watched<Profile>()
    profile.mix { $0.prop.list = [1] }
    profile.mix { $0.prop.info = Profile.Info() }
    profile.mix { $0.prop.address = Profile.Address() }
    profile.mix { $0.prop.address = Profile.Address() }
    #expect(profile.heard.all == [["list"], ["address", "address.street", "address.number"]])
  }

  @Test func `another substance's key is ignored, and a mistyped nested one is a fault`() {
    let profile = Substance<Profile>(name: "profile")
    let reactor = Flask.reactor(attachedTo: owner, mixing: [tally, profile]) { _, reaction in
      reaction.on("counter") { _ in }
      reaction.on("info.nest.fooo") { _ in }
    }
    reactor.mix(profile) { $0.prop.list = [1] }.react()
    let faults = FaultLog.current.take()
    #expect(faults.map(\.kind) == [.unknownKey])
    #expect(faults.first?.message.contains("info.nest.fooo") == true)
  }

  @Test func `a nested mixer does not make the outer one skip its remaining substances`() {
    let flux = Flux.current
    let calls = Recorder<String>()
    let first = Caller {
      if calls.count == 0 { Flux.$current.withValue(flux) { Flask.substances(reactTo: CallerMixers.call) } }
      calls.append("first")
    }
    let second = Caller { calls.append("second") }
    Flask.substances(reactTo: CallerMixers.call)
    #expect(calls.all == ["first", "second", "first", "second"])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `an observer is passed the state of its change, not that of a later moment`() {
    let values = Recorder<[Int]>()
    let tally = tally
    let reactor = Flask.reactor(attachedTo: owner, mixing: [tally])
    reactor.handler = { [weak reactor] _, reaction in
      reaction.on(\Tally.counter) { change in
        if change.new < 3 { reactor?.mix(tally) { $0.prop.counter += 1 }.react() }
        values.append([change.old, change.new, tally.state.counter])
      }
    }
    reactor.mix(tally) { $0.prop.counter = 1 }.react()
    #expect(values.all == [[0, 1, 1], [1, 2, 2], [2, 3, 3]])
  }
}
