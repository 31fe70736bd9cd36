import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// What is kept of a reaction goes on to describe its own moment.
@Suite(.ownFlux) struct KeptReactionTests {
  @Test func `kept changes keep their values after a thousand later mixes`() {
    let tally = Substance<Tally>()
    let owner = Owner()
    let changes = Recorder<SubstanceChange>()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [tally])
    reactor.handler = { _, reaction in
      reaction.on(Tally.prop.text) { if changes.count < 3 { changes.append($0) } }
    }
    for number in 0..<1000 {
      reactor.mix(tally) {
        $0.prop.text = "a text that is too long to be stored inline, number \(number)"
        $0.prop.counter = number
      }.react()
    }
    let values = changes.all.map { change -> String in
      let new: String? = change.newValue()
      return String(new?.last ?? "-")
    }
    #expect(values == ["0", "1", "2"])
    let olds = changes.all.map { change -> String in
      let old: String? = change.oldValue()
      return String(old?.last ?? "-")
    }
    #expect(olds == ["-", "0", "1"])
  }

  @Test func `kept reactions know their keys and their substance, which they keep alive`() {
    let kept = Recorder<FlaskReaction>()
    weak var substance: Substance<Tally>?
    do {
      let tally = Substance<Tally>(name: "kept")
      substance = tally
      let owner = Owner()
      let reactor = Flask.reactor(attachedTo: owner, mixing: [tally]) { _, reaction in kept.append(reaction) }
      reactor.mix(tally) { $0.prop.counter = 1 }.react()
      reactor.mix(tally) { $0.prop.text = "x" }.react()
    }
    #expect(kept.all.map(\.keys) == [["counter"], ["text"]])
    kept.all[0].on(\Tally.counter) { #expect($0.substance().name() == "kept") }
    #expect(substance != nil)
    _ = kept.take()
    ReactorManager.purge(until: { substance == nil })
    #expect(substance == nil)
  }

  @Test func `reactions can be read on another thread while mixes continue`() async {
    let tally = Substance<Tally>()
    let owner = Owner()
    let kept = Recorder<FlaskReaction>()
    let wrong = Recorder<Int>()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [tally]) { _, reaction in kept.append(reaction) }
    let rounds = Workload.count(3000, full: 50_000)
    async let reading: Int = OtherThread.run {
      var seen = 0
      while seen < rounds {
        for reaction in kept.take() {
          seen += 1
          reaction.on(\Tally.counter) { if $0.new != $0.old + 1 { wrong.append($0.new) } }
          reaction.on("text") { change in
            let text: String? = change.newValue()
            let number: Int? = text.flatMap { Int($0.dropFirst(25)) }
            reaction.on(\Tally.counter) { if number != $0.new { wrong.append($0.new) } }
          }
          if !reaction.changed() || reaction.keys != ["counter", "text"] { wrong.append(-1) }
        }
      }
      return seen
    }
    await OtherThread.run {
      for _ in 0..<rounds {
        reactor.mix(tally) {
          $0.prop.counter += 1
          $0.prop.text = "not stored inline, number\($0.prop.counter)"
        }.react(isolation: nil)
      }
    }
    #expect(await reading == rounds)
    #expect(wrong.all == [])
  }

  @Test func `a lock that came with a reaction is kept with it`() {
    let clerk = Clerk()
    let owner = Owner()
    let kept = Recorder<FlaskReaction>()
    Flask.reactor(attachedTo: owner, mixing: [clerk]) { _, reaction in kept.append(reaction) }
    let lock = Flask.lock(withMixer: ClerkMixers.add)
    kept.all[0].onLock?.release()
    #expect(!lock.isHeld)
    Flask.substances(reactTo: ClerkMixers.add)
    #expect(kept.all[0].onLock == lock)
    #expect(kept.all[1].onLock == nil)
  }
}
