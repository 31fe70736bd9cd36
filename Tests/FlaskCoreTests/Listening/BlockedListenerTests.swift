import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// A listener that is blocked costs what waits for it, and not what others are told meanwhile.
@Suite(.ownFlux) struct BlockedListenerTests {
  @Test func `what is recorded for a blocked listener does not grow with the commits`() async {
    let tally = Substance(Tally())
    let heard = Recorder<String>()
    let (isBlocked, goOn) = (Signal(), Gate())
    let blocked = tally.observe(\.text) { @MainActor old, new in heard.append("\(old) → \(new)") }
    let main = Task { @MainActor in
      isBlocked.fire()
      goOn.wait()
    }
    await isBlocked.wait()
    tally.mix { $0.text = "a" }
    for number in 1...20_000 { tally.mix { $0.counter = number } }
    tally.mix { $0.text = "b" }
    for number in 1...20_000 { tally.mix { $0.maybe = number } }
    #expect(chain(of: tally) < 2 * WaitingCommit.mergeLimit)
    tally.mix {
      $0.text = "c"
      $0.counter = -1
    }
    goOn.open()
    await main.value
    await mainActorIsDone { heard.count == 3 }
    #expect(heard.all == [" → a", "a → b", "b → c"])
    withExtendedLifetime(blocked) {}
  }

  /// How many commits are recorded.
  private func chain(of substance: Substance<Tally>) -> Int {
    var count = 0
    var next = substance.cell.firstWaiting
    while let present = next {
      count += 1
      next = present.next
    }
    return count
  }

  /// A model: each listener sees the states of each commit that it hears, whatever was merged around it.
  @Test(arguments: 0..<Workload.count(20, full: 500))
  func `every listener gets the states of each moment, although another one is blocked`(_ seed: Int) async {
    var random = SeededGenerator(seed: Workload.seed &+ UInt64(seed))
    let tally = Substance(Tally())
    let gate = Gate()
    let isBlocked = Signal()
    let texts = Recorder<String>()
    let counters = Recorder<String>()
    let tokens = [
      tally.observe(\.text) { @MainActor old, new in texts.append("\(old) → \(new)") },
      tally.observe(\.counter) { @Workshop old, new in counters.append("\(old) → \(new)") },
    ]
    let main = Task { @MainActor in
      isBlocked.fire()
      gate.wait()
    }
    await isBlocked.wait()
    var (expectedTexts, expectedCounters): ([String], [String]) = ([], [])
    for number in 1...400 {
      let choice = random.next() % 10
      let old = tally.state
      tally.mix {
        if choice == 0 { $0.text = "\(number)" }
        if choice < 4 { $0.counter = number }
        $0.maybe = number
        if choice == 9 { $0._hidden = number }
      }
      if choice == 0 { expectedTexts.append("\(old.text) → \(number)") }
      if choice < 4 { expectedCounters.append("\(old.counter) → \(number)") }
      if random.next() % 40 == 0 { await soon { counters.count == expectedCounters.count } }
    }
    gate.open()
    await main.value
    let count = expectedTexts.count
    await mainActorIsDone { texts.count == count }
    await soon { counters.count == expectedCounters.count }
    #expect(texts.all == expectedTexts)
    #expect(counters.all == expectedCounters)
    withExtendedLifetime(tokens) {}
  }
}
