@testable import FlaskActions
import Testing

@testable import FlaskCore
import FlaskScopes
@testable import KernelFixtures
import TestSupport

/// Work that is begun again for each value, with its paces.
@Suite(.ownFlux) struct RestartingTests {
  private let session = Substance(Session(text: "a"))
  private let clock = ManualClock()
  private let log = Recorder<String>()

  private func restart(_ pace: FluxEffectPace) -> FluxWork {
    session.restarting(on: \.text, pace: pace, clock: clock) { [log] text in
      log.append(text)
      try? await Task.sleep(for: .seconds(3_600))
      log.append("\(text) ends")
    }
  }

  private func wait(for lines: String...) async {
    await soon { log.all == lines }
    #expect(log.all == lines)
  }

  @Test func `work begins again for each other value`() async {
    let work = restart(.immediate)
    await wait(for: "a")
    session.mix { $0.total = 1 }
    session.mix { $0.text = "b" }
    await soon { log.all.count == 3 }
    #expect(log.all.sorted() == ["a", "a ends", "b"])
    work.end()
    await soon { log.all.count == 4 }
    #expect(log.all.last == "b ends")
  }

  @Test func `a debounced value waits, the first one too, and ends the last work at once`() async {
    let work = restart(.debounce(.seconds(1)))
    await clock.sleeping(1)
    #expect(!work.isRunning)
    session.mix { $0.text = "b" }
    await clock.cancellation()
    await clock.sleeping(1)
    clock.advance(by: .seconds(1))
    await wait(for: "b")
    session.mix { $0.text = "c" }
    await wait(for: "b", "b ends")
    await clock.sleeping(1)
    clock.advance(by: .seconds(1))
    await wait(for: "b", "b ends", "c")
    work.end()
    await wait(for: "b", "b ends", "c", "c ends")
  }

  @Test func `of the values of a throttling interval the last one has its turn at the end`() async {
    let work = restart(.throttle(.seconds(1)))
    await wait(for: "a")
    await clock.sleeping(1)
    session.mix { $0.text = "b" }
    session.mix { $0.text = "c" }
    await wait(for: "a", "a ends")
    clock.advance(by: .seconds(1))
    await wait(for: "a", "a ends", "c")
    work.end()
    await wait(for: "a", "a ends", "c", "c ends")
  }

  @Test func `work for a value of a row ends with the row`() async {
    session.mix { $0.list = [Row(id: 1, title: "x")] }
    session.scope(\.list, id: 1)?.restarting(on: \.title) { [log] title in
      log.append(title)
      try? await Task.sleep(for: .seconds(3_600))
      log.append("\(title) ends")
    }
    await wait(for: "x")
    session.mix { $0.list[0].isOpen = true }
    session.mix { $0.list = [] }
    await wait(for: "x", "x ends")
    session.mix { $0.list = [Row(id: 1, title: "x")] }
    await wait(for: "x", "x ends", "x")
  }

  @Test func `no work for a former value submits anything`() async {
    // A search whose answers come late and ignore cancellation: the last text wins.
    let gates = ["a": Gate(), "ab": Gate(), "abc": Gate()]
    let done = Recorder<String>()
    session.restarting(on: \.text) { [session] text in
      guard let gate = gates[text] else { return }
      await OtherThread.run { gate.wait() }
      session.mix { $0.draft = Draft(text: text) }
      done.append(text)
    }
    session.mix { $0.text = "ab" }
    session.mix { $0.text = "abc" }
    await soon { session.state.text == "abc" }
    gates["abc"]?.open()
    await soon { !done.all.isEmpty }
    gates["a"]?.open()
    gates["ab"]?.open()
    await soon { done.all.count == 3 }
    #expect(session.state.draft?.text == "abc")
  }
}
