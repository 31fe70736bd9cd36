import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct ReactorTests {
  private let tally = Substance<Tally>()

  @Test func `the owner's method is called for each reaction`() {
    let listener = KeysListener()
    let reactor = Flask.attachReactor(to: listener, mixing: [tally])
    reactor.mix(tally) { $0.prop.counter = 1 }.react()
    #expect(listener.heard.all == [["counter"]])
  }

  @Test
  func `a handler that has long asked for one key may ask for another`() {
    let (owner, log, asking) = (Owner(), Recorder<String>(), Recorder<Bool>())
    let reactor = Flask.reactor(attachedTo: owner, mixing: tally)
    reactor.handler = { _, reaction in
      log.append("called")
      reaction.on(\Tally.counter) { _ in log.append("counter") }
      if asking.count > 0 { reaction.on(Tally.prop.text) { _ in log.append("text") } }
    }
    for number in 1...20 { reactor.mix(tally) { $0.prop.text = "\(number)" }.react() }
    #expect(log.take() == Array(repeating: "called", count: 20))
    asking.append(true)
    reactor.mix(tally) { $0.prop.text = "last" }.react()
    #expect(log.take() == ["called", "text"])
  }

  @Test func `the older name of the method is called too`() {
    let listener = OldListener()
    Flask.attachReactor(to: listener, mixing: tally).mix(tally) { $0.prop.counter = 1 }.react()
    #expect(listener.heard.all == [["counter"]])
  }

  @Test func `a reactor holds neither its owner nor its substances`() {
    weak var owner: KeysListener?
    weak var substance: Substance<Tally>?
    let reactor: Reactor<KeysListener>
    do {
      let (listener, tally) = (KeysListener(), Substance<Tally>())
      (owner, substance) = (listener, tally)
      reactor = Flask.attachReactor(to: listener, mixing: tally)
      #expect(reactor.owner === listener)
    }
    #expect(owner == nil)
    #expect(substance == nil)
    #expect(reactor.owner == nil)
    #expect(reactor.substanceNames.isEmpty)
  }

  @Test func `once the owner was removed the next reaction unbinds and releases the reactor`() {
    weak var gone: AnyReactor?
    let log = Recorder<Bool>()
    let other = Watched(tally)
    do {
      let owner = Owner()
      let reactor = Flask.reactor(attachedTo: owner, mixing: tally)
      reactor.handler = { _, _ in log.append(true) }
      gone = reactor
    }
    other.mix { $0.prop.counter = 1 }
    #expect(log.all == [])
    // Released it is; a test on another thread that looks at all reactors may hold it for a moment.
    spin { gone == nil }
    #expect(gone == nil)
  }

  @Test func `purging releases the reactors of owners that were removed, and no others`() {
    weak var gone: AnyReactor?
    let living = Owner()
    let kept = Flask.reactor(attachedTo: living, mixing: tally)
    do {
      let owner = Owner()
      gone = Flask.reactor(attachedTo: owner, mixing: tally)
    }
    ReactorManager.purge(until: { gone == nil })
    #expect(gone == nil)
    #expect(kept.isBound)
    #expect(ReactorManager.reactors.contains { $0 === kept })
  }

  @Test func `unbinding and binding twice does it once`() {
    let watched = Watched(tally)
    watched.reactor.unbind()
    watched.reactor.unbind()
    #expect(!watched.reactor.isBound)
    watched.mix { $0.prop.counter = 1 }
    #expect(watched.heard.all == [])
    watched.reactor.bind()
    watched.reactor.bind()
    #expect(watched.reactor.isBound)
    watched.mix { $0.prop.counter = 2 }
    #expect(watched.heard.all == [["counter"]])
  }

  @Test func `an owner may have several reactors, and each hears`() {
    let owner = Owner()
    let log = Recorder<Int>()
    for number in 0..<3 {
      Flask.reactor(attachedTo: owner, mixing: [tally]) { _, _ in log.append(number) }
    }
    Flask.getReactor(attachedTo: owner).mix(tally) { $0.prop.counter = 1 }.react()
    #expect(log.all == [0, 1, 2])
  }

  @Test func `a substance named twice is reported once`() {
    let owner = Owner()
    let log = Recorder<Bool>()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [tally, tally]) { _, _ in log.append(true) }
    reactor.mix(tally) { $0.prop.counter = 1 }.react()
    #expect(log.count == 1)
  }

  @Test func `a reactor unbound during a delivery does not hear it`() {
    let owner = Owner()
    let second = Watched(tally)
    second.reactor.unbind()
    Flask.reactor(attachedTo: owner, mixing: [tally]) { _, _ in second.reactor.unbind() }
    second.reactor.bind()
    second.mix { $0.prop.counter = 1 }
    #expect(second.heard.all == [])
  }

  @Test func `a reactor bound during a delivery hears the next one`() {
    let owner = Owner()
    let late = Watched(tally)
    late.reactor.unbind()
    Flask.reactor(attachedTo: owner, mixing: [tally]) { _, _ in late.reactor.bind() }
    late.mix { $0.prop.counter = 1 }
    #expect(late.heard.all == [])
    late.mix { $0.prop.counter = 2 }
    #expect(late.heard.all == [["counter"]])
  }

  @Test func `attaching again replaces the reactor`() {
    let listener = KeysListener()
    let first = Flask.attachReactor(to: listener, mixing: tally)
    let second = Flask.attachReactor(to: listener, mixing: tally)
    #expect(FaultLog.takeKinds() == [.reactorReplaced])
    #expect(!first.isBound)
    #expect(Flask.getReactor(attachedTo: listener) === second)
    second.mix(tally) { $0.prop.counter = 1 }.react()
    #expect(listener.heard.count == 1)
  }

  @Test func `a handler can be replaced, and removed`() {
    let watched = Watched(tally)
    let log = Recorder<Int>()
    watched.reactor.handler = { _, _ in log.append(1) }
    watched.mix { $0.prop.counter = 1 }
    watched.reactor.handler = nil
    watched.mix { $0.prop.counter = 2 }
    #expect(log.all == [1])
    #expect(watched.heard.all == [])
  }

  @Test func `a handler set while four threads mix hears every mix once`() async {
    let watched = Watched(tally)
    let counts = (0..<2).map { _ in Recorder<Bool>() }
    watched.reactor.handler = { _, _ in counts[0].append(true) }
    await OtherThread.run(times: 4) { thread in
      for round in 0..<500 {
        watched.mix { $0.prop.counter += 1 }
        if thread == 0 { watched.reactor.handler = { _, _ in counts[round % 2].append(true) } }
      }
    }
    _ = await watched.mix { _ in }.outcome
    #expect(counts[0].count + counts[1].count == 2000)
  }

  @Test func `mixes through the reactor of no one abort`() {
    let receipt = Flask.getReactor(attachedTo: Owner()).mix(tally) { $0.prop.counter = 1 }.react()
    #expect(receipt.outcomeIfKnown?.description == "aborted")
    #expect(tally.state.counter == 0)
    #expect(FaultLog.takeKinds().first == .noReactor)
  }

  @Test func `a reactor attached to a base class is found through the subclass, and detached`() {
    let owner = DerivedListener()
    owner.attach(tally)
    let reactor = Flask.getReactor(attachedTo: owner)
    reactor.mix(tally) { $0.prop.counter = 1 }.react()
    #expect(owner.heard.count == 1)
    Flask.detachReactor(from: owner)
    Watched(tally).mix { $0.prop.counter = 2 }
    #expect(owner.heard.count == 1)
  }

  @Test func `purging all releases the reactors of living owners too`() async {
    await #expect(processExitsWith: .success) {
      let tally = Watched<Tally>()
      Flask.purgeFlasks()
      precondition(!tally.reactor.isBound)
      precondition(ReactorManager.reactors.isEmpty)
      tally.mix { $0.prop.counter = 1 }
      precondition(tally.heard.all == [])
    }
  }
}

extension ReactorTests {
  @Test(arguments: [1, 32, 33, 200]) func `a reactor mixes each of its substances and no other`(count: Int) {
    let substances = (0..<count).map { _ in Substance<Tally>() }
    let owner = Owner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: substances)
    for substance in substances {
      #expect(
        reactor.mix(substance) { $0.prop.counter += 1 }.react().outcomeIfKnown?.description
          == "committed(counter)"
      )
    }
    let other = Substance<Tally>()
    #expect(reactor.mix(other) { $0.prop.counter += 1 }.react().outcomeIfKnown?.description == "aborted")
    #expect(FaultLog.takeKinds() == [.substanceNotOfReactor])
  }
}

extension ReactorTests {
  @Test func `a handler that is read again and again stays as it is`() async {
    let count = await OtherThread.run { [tally] in
      let heard = Recorder<Bool>()
      let owner = Owner()
      let reactor = Flask.reactor(attachedTo: owner, mixing: tally)
      reactor.handler = { _, _ in heard.append(true) }
      for _ in 0..<100_000 { _ = reactor.handler }
      reactor.handler = reactor.handler
      reactor.mix(tally) { $0.prop.counter = 1 }.react(isolation: nil)
      return heard.count
    }
    #expect(count == 1)
  }
}
