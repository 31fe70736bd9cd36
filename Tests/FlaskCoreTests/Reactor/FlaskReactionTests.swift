import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct FlaskReactionTests {
  private let profile = Substance<Profile>(name: "profile")
  private let owner = Owner()
  private let log = Recorder<String>()

  /// Mixes `body`, and hands its reaction to `ask`.
  private func mix(
    _ body: @escaping @Sendable (Substance<Profile>) -> Void,
    _ ask: @escaping @Sendable (FlaskReaction) -> Void
  ) {
    let reactor = Flask.reactor(attachedTo: owner, mixing: [profile])
    reactor.handler = { _, reaction in ask(reaction) }
    reactor.mix(profile, body).react()
    reactor.unbind()
  }

  @Test func `a nested key that changed is reported with its parents, and no other`() {
    mix({ $0.prop.info.nest.foo = "x" }) { [log] reaction in
      for key in ["info", "info.nest", "info.nest.foo", "info.nest.bar", "info.title", "list", "scores"] {
        reaction.on(key) { log.append($0.key()) }
      }
      #expect(reaction.keys == ["info", "info.nest", "info.nest.foo"])
      #expect(reaction.changed())
    }
    #expect(log.all == ["info", "info.nest", "info.nest.foo"])
  }

  @Test func `a change has key, substance, old and new value`() {
    mix({ $0.prop.info.nest.bar = 5 }) { [log, profile] reaction in
      reaction.on("info.nest.bar") { change in
        #expect(change.key() == "info.nest.bar")
        #expect(change.substance() === profile)
        #expect(change.newValue() == 5)
        #expect(change.oldValue() == 1)
        let new: Int? = change.newValue()
        #expect(new == 5)
        log.append("asked")
      }
    }
    #expect(log.all == ["asked"])
  }

  @Test func `keys go through optionals that appear, change and disappear`() {
    let ask: @Sendable (FlaskReaction) -> Void = { [log] reaction in
      reaction.on("address.street") { change in
        let (old, new): (String?, String?) = (change.oldValue(), change.newValue())
        log.append("\(old ?? "none") to \(new ?? "none")")
      }
    }
    mix({ $0.prop.address = Profile.Address() }, ask)
    mix({ $0.prop.address?.number = 8 }, ask)
    mix({ $0.prop.address?.street = "Oak" }, ask)
    mix({ $0.prop.address = nil }, ask)
    #expect(log.all == ["none to Elm", "Elm to Oak", "Oak to none"])
  }

  @Test func `keys go through dictionaries whose entries appear, change and disappear`() {
    let ask: @Sendable (FlaskReaction) -> Void = { [log] reaction in
      reaction.on("scores.alice") { change in
        let (old, new): (Int?, Int?) = (change.oldValue(), change.newValue())
        log.append("\(old ?? -1) to \(new ?? -1)")
      }
    }
    mix({ $0.prop.scores["alice"] = 1 }, ask)
    mix({ $0.prop.scores["bob"] = 1 }, ask)
    mix({ $0.prop.scores["alice"] = 2 }, ask)
    mix({ $0.prop.scores["alice"] = nil }, ask)
    #expect(log.all == ["-1 to 1", "1 to 2", "2 to -1"])
  }

  @Test func `keys below dictionaries are listed, sorted, after their parent`() {
    mix({
      $0.prop.scores = ["bob": 1, "alice": 2]
      $0.prop.list = [1]
    }) { #expect($0.keys == ["scores", "scores.alice", "scores.bob", "list"]) }
  }

  @Test func `a reaction answers for its own substance alone`() {
    let other = Substance<Tally>(name: "other")
    let reactor = Flask.reactor(attachedTo: owner, mixing: [profile, other])
    reactor.handler = { [log, profile] _, reaction in
      log.append("\(reaction.at(profile) != nil) \(reaction.at(other) != nil)")
      reaction.at(other)?.on("counter") { _ in log.append("counter") }
      reaction.on("info.title") { _ in log.append("title") }
    }
    reactor.mix(profile) { $0.prop.info.title = "x" }.mix(other) { $0.prop.counter = 1 }.react()
    #expect(log.all == ["true false", "title", "false true", "counter"])
  }

  @Test func `a key of a sibling substance is no fault, one that none has is`() {
    let other = Substance<Tally>(name: "other")
    let reactor = Flask.reactor(attachedTo: owner, mixing: [profile, other])
    reactor.handler = { _, reaction in
      reaction.on("counter") { _ in }
      reaction.on("info.titel") { _ in }
    }
    reactor.mix(profile) { $0.prop.list = [1] }.react()
    let faults = FaultLog.current.take()
    #expect(faults.map(\.kind) == [.unknownKey])
    #expect(faults.first?.message.contains("profile, other") == true)
  }

  @Test func `a key of a sibling substance that was removed is no fault`() {
    var other: Substance<Tally>? = Substance<Tally>(name: "other")
    let reactor = Flask.reactor(attachedTo: owner, mixing: [profile] + (other.map { [$0] } ?? []))
    reactor.handler = { _, reaction in reaction.on("counter") { _ in } }
    other = nil
    #expect(reactor.substanceNames == ["profile"])
    reactor.mix(profile) { $0.prop.list = [1] }.react()
  }

  @Test func `properties with an underscore are state, and no part of reactions`() {
    let watched = Watched(profile)
    #expect(watched.mix { $0.prop._cache = 5 }.outcomeIfKnown?.description == "unchanged")
    #expect(profile.state._cache == 5)
    #expect(watched.heard.all == [])
    watched.mix { $0.prop.list = [1] }
    #expect(watched.heard.all == [["list"]])
    #expect(profile.state._cache == 5)
    #expect(profile.keys.filter { $0.hasPrefix("_") } == [])
  }

  @Test func `properties with an underscore of a nested struct are no less a part of reactions`() {
    let watched = Watched(profile)
    let outcome = watched.mix { $0.prop.info.nest._secret = 5 }.outcomeIfKnown
    #expect(outcome?.description == "committed(info, info.nest, info.nest._secret)")
    #expect(watched.heard.all == [["info", "info.nest", "info.nest._secret"]])
  }

  @Test func `a key path to a property of a value that is compared as a whole`() {
    struct Shown: Sendable {
      var range = 0..<10
      var other = 0
    }
    let substance = Substance(Shown())
    let heard = Recorder<Range<Int>>()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [substance]) { _, reaction in
      reaction.on(\Shown.range.lowerBound) { heard.append($0.old..<$0.new) }
    }
    substance.mix { $0.range = 5..<10 }
    substance.mix { $0.range = 5..<11 }
    substance.mix { $0.other = 1 }
    #expect(heard.all == [0..<5])
    withExtendedLifetime(reactor) {}
  }

  @Test func `a value of another type is nil, and a fault`() {
    mix({ $0.prop.info.title = "x" }) { reaction in
      reaction.on("info.title") { change in
        let wrong: Int? = change.newValue()
        #expect(wrong == nil)
      }
    }
    #expect(FaultLog.takeKinds() == [.wrongValueType])
  }

  @Test func `an optional value can be asked for with and without content`() {
    let tally = Substance<Tally>()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [tally])
    reactor.handler = { [log] _, reaction in
      reaction.on(Tally.prop.maybe) { change in
        let (old, new): (Int?, Int?) = (change.oldValue(), change.newValue())
        log.append("\(old ?? -1) to \(new ?? -1)")
      }
    }
    reactor.mix(tally) { $0.prop.maybe = 4 }.react()
    reactor.mix(tally) { $0.prop.maybe = nil }.react()
    #expect(log.all == ["-1 to 4", "4 to -1"])
  }
}
