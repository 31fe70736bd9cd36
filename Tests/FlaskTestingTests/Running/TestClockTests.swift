import FlaskArchive
import FlaskTesting
import Testing

@Suite struct TestClockTests {
  @Test func `who sleeps is woken when the clock is there, and not before`() async throws {
    let clock = TestClock()
    async let slept: Void = clock.sleep(for: .seconds(2))
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(1))
    try await slept
    #expect(clock.sleeperCount == 0)
    #expect(clock.now.offset == .seconds(2))
  }

  @Test func `a sleep that is cancelled ends at once`() async {
    let clock = TestClock()
    let task = Task { try await clock.sleep(for: .seconds(2)) }
    await clock.sleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func `waiting for sleepers ends when the task is cancelled, before or meanwhile`() async {
    let clock = TestClock()
    let task = Task { await clock.sleepers(1) }
    await Task.yield()
    task.cancel()
    await task.value
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await clock.sleepers(1)
    }
    await cancelled.value
    // Others still wait for as many as they want.
    let other = Task { await clock.sleepers(1) }
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    await other.value
    clock.advance(by: .seconds(1))
    _ = await sleeper.result
  }

  @Test func `waiting for sleepers ends when the test has ended`() async {
    let found = IssueList()
    let task = await withTestFlux(onIssue: { found.add($0) }) { test in
      let clock = test.clock
      return Task.detached { await clock.sleepers(7) }
    }
    await task.value
  }

  @Test func `a lock times out on the clock of its test`() async {
    let found = IssueList()
    let line: UInt = #line + 3
    await withTestFlux(onIssue: { found.add($0) }) { test in
      let counter = Substance(Counter(), name: "counter")
      let lock = Flask.lock(timeout: .seconds(5))
      counter.mix { $0.count = 1 }
      await test.advance(by: .seconds(4))
      #expect(lock.isHeld)
      await test.expect(changing: counter) {
        $0.count = 1
      } by: {
        test.clock.advance(by: .seconds(1))
      }
      #expect(!lock.isHeld)
    }
    #expect(found.messages.count == 1)
    #expect(found.messages.first?.hasPrefix("Flask fault (lockTimedOut): the lock taken at ") == true)
    #expect(found.lines == [line])
  }

  @Test func `what is archived by default is in the archive of the test`() async {
    struct Saved: FlaskState { var count = 0 }
    await withTestFlux { test in
      let saved = Substance(Saved(), name: "saved", archive: true)
      test.mix(saved) { $0.count = 3 }
      #expect(await saved.archiveNow())
      #expect(test.archive.keys(withPrefix: "") == ["Fx.1.saved"])
    }
  }
}
