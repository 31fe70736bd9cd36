import FlaskArchive

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

extension Entry {
  /// The entry points of substances.
  static let substances: [Entry] = [
    Entry("state") { stage in stage.kept.append(stage.tally.state.counter) },
    Entry("prop read") { stage in stage.kept.append(stage.other.prop.counter) },
    Entry("prop written") { stage in stage.other.prop.text = "stray" },
    Entry("name") { stage in stage.kept.append(stage.tally.name()) },
    Entry("name(as:)") { stage in stage.tally.name(as: "renamed") },
    Entry("keys and flux") { stage in
      stage.kept.append("\(stage.tally.keys) \(stage.tally.flux.waitingCount)")
    },
    Entry("observe(key:)") { stage in stage.kept.append(stage.tally.observe(key: "text") { _ in }) },
    Entry("observe unknown key") { stage in stage.kept.append(stage.tally.observe(key: "nothing") { _ in }) },
    Entry("observe key path") { stage in stage.kept.append(stage.tally.observe(\.text) { _, _ in }) },
    Entry("observe on main") { stage in
      stage.kept.append(stage.tally.observe(\.text) { @MainActor _, _ in })
      stage.mix { $0.prop.text = "for main" }
    },
    Entry("observe(anyOf:)") { stage in
      stage.kept.append(stage.tally.observe(anyOf: [\.text, \.counter]) { _ in })
    },
    Entry("observation let go") { stage in stage.tally.observe(\.text) { _, _ in }.cancel() },
    Entry("observation.cancel") { stage in stage.observation.cancel() },
    Entry("shouldArchive") { stage in
      stage.tally.shouldArchive = !stage.tally.shouldArchive
      stage.tally.shouldArchive = true
    },
    Entry("archiveNow") { stage in stage.tally.archiveNow() },
    Entry("archiveNow of another") { stage in
      Substance<Tally>(name: "archived", archive: true, in: stage.backend).archiveNow()
    },
    Entry("archiveNow async") { stage in stage.begin { await stage.tally.archiveNow() } },
    Entry("archiveNow that is off") { stage in stage.other.archiveNow() },
    Entry("purgeArchive") { stage in stage.tally.purgeArchive() },
    Entry("captureState and rollbackState") { stage in
      stage.other.captureState()
      stage.other.rollbackState()
      stage.other.commitState()
      stage.other.rollbackState()
    },
    Entry("Substance archived") { stage in
      stage.kept.append(Substance<ProbedState>(name: "second", archive: true, in: stage.backend))
    },
    Entry("Substance let go") { stage in
      let owner = Owner()
      let tally = Substance<Tally>()
      Flask.reactor(attachedTo: owner, mixing: tally, isolation: nil)
        .mix(tally) { $0.prop.counter = 1 }.react(isolation: nil)
    },
    Entry("ReactiveSubstance let go") { stage in stage.kept.append(Clerk().name()) },
    Entry("define outside") { stage in stage.clerk.define(mix: .add) { _, react, _ in react() } },
  ]

  /// The entry points of reactors and chains.
  static let reactors: [Entry] = [
    Entry("attachReactor") { stage in
      let listener = KeysListener()
      stage.kept.append(listener)
      Flask.attachReactor(to: listener, mixing: stage.tally, isolation: nil)
    },
    Entry("attachReactor again") { stage in
      Flask.attachReactor(to: stage.owner, mixing: [stage.tally, stage.other], isolation: nil)
    },
    Entry("attachReactor to an actor") { stage in
      let hermit = Hermit()
      stage.kept.append(hermit)
      Flask.attachReactor(to: hermit, mixing: stage.tally)
      stage.mix { $0.prop.text = "for a hermit" }
    },
    Entry("reactor(attachedTo:)") { stage in Flask.reactor(attachedTo: stage.owner, mixing: stage.tally) },
    Entry("reactor over nothing") { stage in Flask.reactor(attachedTo: stage.owner, mixing: []) },
    Entry("reactor(attachedTo:handler:)") { stage in
      Flask.reactor(attachedTo: stage.owner, mixing: stage.tally) { _, _ in }
    },
    Entry("getReactor") { stage in
      stage.kept.append(Flask.getReactor(attachedTo: stage.owner).isBound)
    },
    Entry("getReactor without one") { stage in
      stage.kept.append(Flask.getReactor(attachedTo: Owner()).isBound)
    },
    Entry("detachReactor") { stage in Flask.detachReactor(from: stage.owner) },
    Entry("detachReactor without one") { _ in Flask.detachReactor(from: Owner()) },
    Entry("handler") { stage in
      let handler = stage.reactor.handler
      stage.reactor.handler = { _, _ in }
      stage.reactor.handler = { @MainActor _, _ in }
      stage.mix { $0.prop.text = "for main" }
      stage.reactor.handler = handler
    },
    Entry("bind and unbind") { stage in
      stage.reactor.unbind()
      stage.reactor.bind()
    },
    Entry("unbind") { stage in stage.reactor.unbind() },
    Entry("substanceNames and owner") { stage in
      stage.kept.append(
        "\(stage.reactor.substanceNames) \(stage.reactor.isBound) \(stage.reactor.owner == nil)"
      )
    },
    Entry("mix and react") { stage in stage.reactor.mix(stage.tally) { $0.prop.text = "mixed" }.react() },
    Entry("mix and throw") { stage in
      stage.reactor.mix(stage.tally) { _ in throw ProbingError() }.react()
    },
    Entry("mix and abort") { stage in stage.reactor.mix(stage.tally) { $0.prop.text = "never" }.abort() },
    Entry("mix unresolved") { stage in _ = stage.reactor.mix(stage.tally) { $0.prop.text = "never" } },
    Entry("chain") { stage in
      stage.reactor.mix(stage.tally) { $0.prop.text = "both" }.with(stage.other) { $0.prop.text = "both" }
        .andReact()
    },
    Entry("chain over a stranger") { stage in
      stage.reactor.mix(stage.tally) { _ in }.and(Substance<Tally>()) { _ in }.andReact()
    },
    Entry("mix ten times") { stage in for _ in 0..<10 { stage.mix { $0.prop.counter += 1 } } },
  ]

  static let all = flux + actions + substances + reactors
}

/// An actor with a reactor.
actor Hermit: FlaskReactorActor {
  func flaskReactions(reaction: FlaskReaction) {}
}
