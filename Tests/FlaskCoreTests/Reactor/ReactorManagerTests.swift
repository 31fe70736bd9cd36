import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

private actor Den: FlaskReactorActor {
  func flaskReactions(reaction: FlaskReaction) {}
}

@MainActor private final class MainOwner {}

@Suite(.ownFlux) struct ReactorManagerTests {
  @Test func `the reactor of an actor is the attached one, whatever others it has`() async {
    let den = Den()
    let tally = Substance(Tally())
    let attached = Flask.attachReactor(to: den, mixing: tally)
    let other = Flask.reactor(attachedTo: den, mixing: [tally])
    #expect(ReactorManager.reactor(of: den) === attached)
    #expect(ReactorManager.reactors(of: den).count == 2)
    withExtendedLifetime(other) {}
  }

  @Test func `a purge elsewhere releases reactors of owners that belonged to the main actor`() async {
    weak var reactor: AnyReactor?
    reactor = await MainActor.run {
      let tally = Substance(Tally())
      let owner = MainOwner()
      return Flask.reactor(attachedTo: owner, mixing: [tally])
    }
    for _ in 0..<1_000 where reactor != nil {
      await OtherThread.run { ReactorManager.purge() }
      await MainActor.run {}
    }
    #expect(reactor == nil)
  }
}
