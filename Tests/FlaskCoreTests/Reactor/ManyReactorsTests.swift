import Testing

@testable import FlaskCore
@testable import KernelFixtures

/// Owners and their reactors, at the end and in great number.
@Suite(.ownFlux) struct ManyReactorsTests {
  private let tally = Substance<Tally>()

  @Test func `8,000 reactors on one owner, made and unbound, are released`() {
    let owner = Owner()
    let others = (0..<100).map { _ in Flask.reactor(attachedTo: owner, mixing: tally) }
    for _ in 0..<8_000 { Flask.reactor(attachedTo: owner, mixing: tally).unbind() }
    // Each of them is looked at when another one is made: 8,000 that stay cost 32,000,000 looks.
    #expect(ReactorManager.reactors(of: owner).count < 500)
    #expect(!others.contains { !$0.isBound })
    Flask.detachReactor(from: owner)
    #expect(ReactorManager.reactors(of: owner).count == 0)
    #expect(!others.contains { $0.isBound })
  }

  @Test func `a substance at the address of one that was removed is no member of its reactor`() {
    let owner = Owner()
    var refused = 0
    for _ in 0..<100 {
      let reactor = Flask.reactor(attachedTo: owner, mixing: Substance<Tally>())
      let next = Substance<Tally>()
      let outcome = reactor.mix(next) { $0.prop.counter = 1 }.react().outcomeIfKnown
      if outcome?.description == "aborted" { refused += 1 }
      reactor.unbind()
    }
    #expect(refused == 100)
    #expect(Set(FaultLog.takeKinds()) == [.substanceNotOfReactor])
    Flask.detachReactor(from: owner)
  }

  @Test func `an owner detaches its reactor in its deinit`() {
    weak var gone: AnyReactor?
    do {
      let owner = Leaver()
      gone = Flask.attachReactor(to: owner, mixing: tally)
    }
    // Detached it is, but another test may hold it for a moment.
    ReactorManager.purge(until: { gone == nil })
    #expect(gone == nil)
  }

  @Test
  func `in its deinit an owner may ask for its reactor, mix and attach again; that is a fault at most`() {
    let tally = tally
    do {
      let owner = Clinger(tally)
      Flask.attachReactor(to: owner, mixing: tally)
    }
    ReactorManager.purge()
    tally.change { $0.prop.counter += 1 }
    #expect(tally.state.counter == 1)
    #expect(Set(FaultLog.takeKinds()).isSubset(of: [.noReactor, .reactorReplaced]))
  }
}

/// An owner that detaches itself at its end.
private final class Leaver: FlaskReactor {
  func flaskReactions(reaction: FlaskReaction) {}
  deinit { Flask.detachReactor(from: self) }
}

/// An owner that goes on using itself at its end.
private final class Clinger: FlaskReactor {
  private let tally: Substance<Tally>
  init(_ tally: Substance<Tally>) { self.tally = tally }
  func flaskReactions(reaction: FlaskReaction) {}
  deinit {
    Flask.getReactor(attachedTo: self).mix(tally) { $0.prop.counter = 99 }.react()
    Flask.attachReactor(to: self, mixing: tally)
  }
}
