import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct KeyPathReactionTests {
  private let profile = Substance<Profile>()
  private let owner = Owner()
  private let log = Recorder<String>()

  private func mix(
    _ body: @escaping @Sendable (Substance<Profile>) -> Void,
    _ ask: @escaping @Sendable (FlaskReaction) -> Void
  ) {
    let reactor = Flask.reactor(attachedTo: owner, mixing: [profile])
    reactor.handler = { _, reaction in ask(reaction) }
    reactor.mix(profile, body).react()
    reactor.unbind()
  }

  @Test func `a key path reports the old and the new value, typed`() {
    mix({ $0.prop.info.nest.bar = 5 }) { [log, profile] reaction in
      reaction.on(\Profile.info.nest.bar) { change in
        #expect(change.substance() === profile)
        log.append("\(change.old) to \(change.new)")
      }
      reaction.on(\Profile.info.nest) { log.append("nest \($0.new.bar)") }
      reaction.on(\Profile.info.title) { _ in log.append("title") }
    }
    #expect(log.all == ["1 to 5", "nest 5"])
  }

  @Test func `a key path of another state is ignored`() {
    mix({ $0.prop.list = [1] }) { [log] in $0.on(\Tally.counter) { _ in log.append("counter") } }
    #expect(log.all == [])
  }

  @Test func `a key path goes through a computed property`() {
    let ask: @Sendable (FlaskReaction) -> Void = { [log] reaction in
      reaction.on(\Profile.headline) { log.append("\($0.old) to \($0.new)") }
    }
    mix({ $0.prop.info.title = "x" }, ask)
    mix({ $0.prop.list = [1] }, ask)
    #expect(log.all == ["none! to x!"])
  }

  @Test func `a key path goes through an optional`() {
    let ask: @Sendable (FlaskReaction) -> Void = { [log] reaction in
      reaction.on(\Profile.address?.street) { log.append("\($0.old ?? "none") to \($0.new ?? "none")") }
    }
    mix({ $0.prop.address = Profile.Address() }, ask)
    mix({ $0.prop.address?.number = 1 }, ask)
    mix({ $0.prop.address = nil }, ask)
    #expect(log.all == ["none to Elm", "Elm to none"])
  }

  @Test func `a key path goes through a subscript`() {
    mix({ $0.prop.scores = ["alice": 3] }) { [log] reaction in
      reaction.on(\Profile.scores["alice"]) { log.append("\($0.new ?? -1)") }
      reaction.on(\Profile.scores["bob"]) { _ in log.append("bob") }
    }
    #expect(log.all == ["3"])
  }

  @Test func `a key path may be a variable, and come out of a function`() {
    let stored: any KeyPath<Profile, Int> & Sendable = \.info.nest.bar
    let computed: any KeyPath<Profile, String> & Sendable = \.headline
    let log = log
    mix({
      $0.prop.info.nest.bar = 5
      $0.prop.info.title = "x"
    }) { reaction in
      reaction.on(stored) { log.append("\($0.old) to \($0.new)") }
      reaction.on(computed) { log.append("\($0.old) to \($0.new)") }
      for path in [\Profile.info.nest.bar] { reaction.on(path) { log.append("\($0.new)") } }
    }
    #expect(log.all == ["1 to 5", "none! to x!", "5"])
  }
}
