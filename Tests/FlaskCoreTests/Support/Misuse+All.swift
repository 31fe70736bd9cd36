@testable import FlaskCore
@testable import KernelFixtures

extension MisuseTests.Misuse {
  static let here = "FlaskCoreTests/Misuse+All.swift"

  static let all: [Self] = ofSubstances + ofChains + ofReactors + ofReactions + ofMixers

  static let ofSubstances: [Self] = [
    Self(
      testDescription: "prop is read outside a mix",
      kind: .propOutsideMix,
      mentions: ["feed", "state"],
      file: here
    ) {
      let feed = Substance<Tally>(name: "feed")
      _ = feed.prop.counter; return #line
    },
    Self(
      testDescription: "prop is written outside a mix",
      kind: .propOutsideMix,
      mentions: ["feed", "mix"],
      file: here
    ) {
      let feed = Substance<Tally>(name: "feed")
      feed.prop.counter = 5; return #line
    },
    Self(
      testDescription: "prop of another substance is written inside a mix",
      kind: .propOutsideMix,
      mentions: ["other", "mix"],
      file: here
    ) {
      let other = Substance<Tally>(name: "other")
      let tally = Watched<Tally>()
      tally.mix { _ in other.prop.counter = 1 }; return #line
    },
    Self(
      testDescription: "a state is rolled back that was not captured",
      kind: .nothingCaptured,
      mentions: ["feed", "captureState()"],
      file: here
    ) {
      let feed = Substance<Tally>(name: "feed")
      feed.rollbackState(); return #line
    },
  ]

  static let ofChains: [Self] = [
    Self(
      testDescription: "a chain is never resolved",
      kind: .chainNotResolved,
      mentions: ["feed", "react()", "abort()"],
      file: here
    ) {
      let tally = Watched(Substance<Tally>(name: "feed"))
      _ = tally.reactor.mix(tally.substance) { _ in }; return #line
    },
    Self(
      testDescription: "a substance is mixed through a reactor of others",
      kind: .substanceNotOfReactor,
      mentions: ["stranger", "mixing:"],
      file: here
    ) {
      let tally = Watched<Tally>()
      let stranger = Substance<Tally>(name: "stranger")
      tally.reactor.mix(stranger) { _ in }.react(); return #line
    },
    Self(
      testDescription: "a chain continues with a substance of others",
      kind: .substanceNotOfReactor,
      mentions: ["stranger", "mixing:"],
      file: here
    ) {
      let tally = Watched<Tally>()
      let stranger = Substance<Tally>(name: "stranger")
      tally.reactor.mix(tally.substance) { _ in }.with(stranger) { _ in }.react(); return #line
    },
    Self(
      testDescription: "a chain spans two buses",
      kind: .substancesOfDifferentFluxes,
      mentions: ["left", "right", "alone"],
      file: here
    ) {
      let flux = Flux()
      let log = FaultLog.current
      flux.onFault = { log.append($0) }
      let left = Substance<Tally>(name: "left")
      let right = Flux.$current.withValue(flux) { Substance<Tally>(name: "right") }
      let owner = Owner()
      let reactor = Flask.reactor(attachedTo: owner, mixing: [left, right])
      reactor.mix(left) { _ in }.mix(right) { _ in }.react(); return #line
    },
  ]

  static let ofReactors: [Self] = [
    Self(
      testDescription: "the reactor of an owner without one is asked for",
      kind: .noReactor,
      mentions: ["Owner", "attachReactor"],
      file: here
    ) {
      let owner = Owner()
      _ = Flask.getReactor(attachedTo: owner); return #line
    },
    Self(
      testDescription: "the reactor of an owner without one is mixed with",
      kind: .noReactor,
      mentions: ["Owner", "attachReactor"],
      file: here
    ) {
      let (owner, feed) = (Owner(), Substance<Tally>(name: "feed"))
      Flask.getReactor(attachedTo: owner).mix(feed) { $0.prop.counter = 1 }.react(); return #line
    },
    Self(
      testDescription: "a reactor is detached twice",
      kind: .nothingToDetach,
      mentions: ["Owner", "detached"],
      file: here
    ) {
      let owner = Owner()
      Flask.reactor(attachedTo: owner, mixing: [Substance<Tally>()]) { _, _ in }
      Flask.detachReactor(from: owner)
      Flask.detachReactor(from: owner); return #line
    },
    Self(
      testDescription: "a reactor is attached twice",
      kind: .reactorReplaced,
      mentions: ["KeysListener", "detach"],
      file: here
    ) {
      let (owner, feed) = (KeysListener(), Substance<Tally>(name: "feed"))
      Flask.attachReactor(to: owner, mixing: feed)
      Flask.attachReactor(to: owner, mixing: feed); return #line
    },
    Self(
      testDescription: "a reactor is made over no substance",
      kind: .reactorWithoutSubstances,
      mentions: ["Owner", "name one"],
      file: here
    ) {
      let owner = Owner()
      Flask.reactor(attachedTo: owner, mixing: []) { _, _ in }; return #line
    },
    Self(
      testDescription: "an owner implements neither method",
      kind: .reactionsNotImplemented,
      mentions: ["Mute", "flaskReactions(reaction:)"],
      file: here
    ) {
      let mute = Mute()
      let feed = Substance<Tally>(name: "feed")
      let reactor = Flask.attachReactor(to: mute, mixing: feed); let line: UInt = #line
      for number in 1...3 { reactor.mix(feed) { $0.prop.counter = number }.react() }
      return line
    },
  ]

  /// Mixes once, and hands the reaction to `ask`.
  static func reacting(_ ask: @escaping @Sendable (FlaskReaction) -> Void) {
    let owner = Owner()
    let feed = Substance<Tally>(name: "feed")
    let reactor = Flask.reactor(attachedTo: owner, mixing: [feed]) { _, reaction in ask(reaction) }
    reactor.mix(feed) { $0.prop.counter = 1 }.react()
  }

  static let ofReactions: [Self] = [
    Self(
      testDescription: "a mistyped key is asked for",
      kind: .unknownKey,
      mentions: ["countr", "feed", "counter"],
      file: here
    ) {
      let line: UInt = #line + 1
      reacting { $0.on("countr") { _ in } }
      return line
    },
    Self(
      testDescription: "a mistyped nested key is asked for",
      kind: .unknownKey,
      mentions: ["counter.deeper", "feed"],
      file: here
    ) {
      let line: UInt = #line + 1
      reacting { $0.on("counter.deeper") { _ in } }
      return line
    },
    Self(
      testDescription: "a value is asked for as another type",
      kind: .wrongValueType,
      mentions: ["counter", "feed", "Int", "String"],
      file: here
    ) {
      let line: UInt = #line + 3
      reacting {
        $0.on("counter") { change in
          let _: String? = change.newValue()
        }
      }
      return line
    },
  ]

  static let ofMixers: [Self] = [
    Self(
      testDescription: "a mixer resolves nothing",
      kind: .mixerNotResolved,
      mentions: ["forget", "clerk", "react()"],
      file: "KernelFixtures/Clerk.swift"
    ) {
      let clerk = Clerk(name: "clerk")
      Flask.substances(reactTo: ClerkMixers.forget)
      return clerk.lines.forget
    },
    Self(
      testDescription: "a mixer reacts and aborts",
      kind: .mixerResolvedTwice,
      mentions: ["both", "clerk", "once"],
      file: "KernelFixtures/Clerk.swift"
    ) {
      let clerk = Clerk(name: "clerk")
      Flask.substances(reactTo: ClerkMixers.both)
      return clerk.lines.both
    },
    Self(
      testDescription: "a mixer is defined twice",
      kind: .mixerDefinedTwice,
      mentions: ["call", "double", "first"],
      file: "FlaskCoreTests/Doubler.swift"
    ) {
      Doubler(name: "double").line
    },
    Self(
      testDescription: "a mixer is defined outside defineMixers",
      kind: .defineOutsideDefineMixers,
      mentions: ["note", "clerk", "defineMixers()"],
      file: here
    ) {
      let clerk = Clerk(name: "clerk")
      clerk.define(mix: .note) { _, react, _ in react() }; return #line
    },
    Self(
      testDescription: "a mixer defines a mixer",
      kind: .defineOutsideDefineMixers,
      mentions: ["call", "nester", "defineMixers()"],
      file: "FlaskCoreTests/Nester.swift"
    ) {
      let nester = Nester(name: "nester")
      Flask.substances(reactTo: CallerMixers.call)
      return nester.line
    },
    Self(
      testDescription: "the flux is locked with a mixer that nobody defines",
      kind: .lockWithoutListener,
      mentions: ["call", "autorelease: true"],
      file: here
    ) {
      Flask.lock(withMixer: CallerMixers.call).release(); return #line
    },
  ]
}
