import Foundation
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// What waits for somebody who is busy costs what it changed, and tells the states of its own moment.
@Suite(.ownFlux) struct BackPressureTests {
  @Test func `20,000 mixes of a number in a state of 16 KB wait in little memory`() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        let wall = Substance<Wall>()
        let owner = Owner()
        let last = Recorder<Int>()
        let reactor = Flask.reactor(attachedTo: owner, mixing: wall)
        reactor.handler = { _, reaction in reaction.on(\Wall.counter) { last.append($0.new) } }
        let token = wall.observe(\.counter) { @MainActor _, _ in }
        OtherThread.runBlocking {
          reactor.mix(wall) { $0.prop.counter += 1 }.react(isolation: nil)
        }
        let before = residentBytes()
        OtherThread.runBlocking {
          for _ in 1..<19_999 { reactor.mix(wall) { $0.prop.counter += 1 }.react(isolation: nil) }
        }
        let growth = residentBytes() - before
        #expect(growth < 64_000_000, "\(growth) bytes for 20,000 mixes")
        reactor.mix(wall) { $0.prop.counter += 1 }.react()
        #expect(last.all == Array(1...20_000))
        token.cancel()
      }
    }
  }

  @MainActor @Test func `everyone hears the states of each moment, wherever they wait`() async {
    // One reactor hears four thirds of it, and 10,000 that wait would be a fault.
    let count = Proof.count(600, full: 7_000)
    let wall = Substance<Wall>()
    let tally = Substance<Tally>()
    let owner = Owner()
    let logs = (0..<5).map { _ in Recorder<String>() }
    let kept = Recorder<FlaskReaction>()
    let done = Signal()
    let first = Flask.reactor(attachedTo: owner, mixing: wall)
    first.handler = { _, reaction in
      reaction.on(\Wall.counter) { logs[0].append($0.description) }
      if kept.count < 50 { kept.append(reaction) }
    }
    let second = Flask.reactor(attachedTo: owner, mixing: [wall, tally])
    second.handler = { _, reaction in
      reaction.on(Wall().counter == 0 ? "counter" : "") { logs[1].append($0.description) }
    }
    let third = Flask.reactor(attachedTo: owner, mixing: wall)
    third.handler = { @Workshop _, reaction in
      reaction.on(\Wall.counter) { change in
        logs[2].append(change.description)
        if change.new == count { done.fire() }
      }
    }
    let texts = wall.observe(\.text) { @MainActor old, new in logs[3].append("\(old) → \(new)") }
    let keys = tally.observe(key: "counter") { @MainActor change in logs[4].append(change.description) }
    OtherThread.runBlocking {
      for number in 1...count {
        second.mix(wall) {
          $0.prop.counter = number
          if number % 100 == 0 { $0.prop.text = "a text that does not fit into a word, \(number)" }
        }.react(isolation: nil)
        if number % 3 == 0 { second.mix(tally) { $0.prop.counter = number }.react(isolation: nil) }
      }
    }
    await done.wait()
    await mainActorIsDone {
      logs[0].count == count && logs[4].count == count / 3 && logs[3].count == count / 100
    }
    let steps = (1...count).map { "\($0 - 1) → \($0)" }
    #expect(logs[0].all == steps)
    #expect(logs[2].all == steps)
    let both = (1...count).flatMap { number in
      ["counter: \(number - 1) → \(number)"]
        + (number % 3 == 0 ? ["counter: \(number - 3) → \(number)"] : [])
    }
    #expect(logs[1].all == both)
    #expect(logs[3].count == count / 100)
    #expect(logs[3].all.last?.hasSuffix(" → a text that does not fit into a word, \(count)") == true)
    #expect(logs[3].all.first == " → a text that does not fit into a word, 100")
    #expect(logs[4].count == count / 3)
    #expect(logs[4].all.last == "counter: \(count - 3) → \(count)")
    var moments: [String] = []
    for reaction in kept.all { reaction.on(\Wall.counter) { moments.append($0.description) } }
    #expect(moments == Array(steps.prefix(50)))
    withExtendedLifetime((texts, keys)) {}
  }

  @MainActor @Test func `an observer that skips commits waits without harm, however many they are`() async {
    let tally = Watched<Tally>()
    let heard = Recorder<String>()
    let token = tally.substance.observe(\.text) { @MainActor old, new in heard.append("\(old)→\(new)") }
    let waiting = tally.substance.observe(\.text) { @MainActor _, _ in heard.append("cancelled") }
    OtherThread.runBlocking {
      tally.mix { $0.prop.text = "a" }
      for _ in 0..<100_000 { tally.mix { $0.prop.counter += 1 } }
      // Lets go of what waits on a small stack.
      waiting.cancel()
      tally.mix { $0.prop.text = "b" }
    }
    await mainActorIsDone { heard.count >= 2 }
    #expect(heard.all == ["→a", "a→b"])
    token.cancel()
  }

  @MainActor @Test func `that many wait is a fault, once`() async {
    let tally = Watched<Tally>()
    let owner = Owner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: tally.substance)
    let told = Recorder<Void>()
    reactor.handler = { @MainActor _, _ in told.append(()) }
    for round in 1...2 {
      OtherThread.runBlocking { for _ in 0...10_000 { tally.mix { $0.prop.counter += 1 } } }
      await mainActorIsDone { told.count == 10_001 * round }
    }
    let faults = FaultLog.current.take()
    #expect(faults.map(\.kind) == [.backlog])
    #expect(
      faults.first?.message.hasPrefix("the reactor of Owner does not keep up: 10000 reactions wait") == true
    )
  }

  @MainActor @Test func `unbound while what waits moves to another actor, it keeps nothing`() async {
    let tally = Substance<Holder>()
    let owner = Owner()
    let room = HeldRoom()
    let gone = Recorder<Int>()
    let reactor = Flask.reactor(attachedTo: owner, mixing: tally)
    reactor.handler = { _, reaction in
      // The next one is delivered elsewhere.
      anyReactor(of: owner)?.setHandler({ _, _ in }, on: HandlerIsolation(room))
    }
    OtherThread.runBlocking {
      for _ in 1...3 { reactor.mix(tally) { $0.prop.counter += 1 }.react(isolation: nil) }
    }
    await room.executor.enqueued(1)
    reactor.unbind()
    for number in 1...100 {
      let token = LastWords { gone.append(number) }
      tally.change { $0.prop.token = token }
    }
    #expect(gone.count == 99)
    room.executor.perform()
  }
}

/// The reactor of an owner, for a handler that must not hold it.
private func anyReactor(of owner: Owner) -> Reactor<Owner>? {
  ReactorManager.reactor(of: owner) as? Reactor<Owner>
}

/// How much memory the process has.
private func residentBytes() -> Int {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * 4096
}
