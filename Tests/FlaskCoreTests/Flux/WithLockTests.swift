import FlaskPrimitives
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct WithLockTests {
  private let tally = Watched<Tally>()

  @Test func `the flux is paused while the body runs, and continues after it`() async {
    let answer = await Flask.withLock {
      tally.mix { $0.prop.counter = 1 }
      await Task.yield()
      #expect(tally.substance.state.counter == 0)
      return 42
    }
    #expect(answer == 42)
    #expect(tally.substance.state.counter == 1)
  }

  @Test func `the lock is released when the body throws`() async {
    await #expect(throws: Oops.self) {
      try await Flask.withLock { throw Oops() }
    }
    #expect(Flux.current.locks == [])
  }

  @Test func `the lock is released when the task is cancelled`() async {
    let clock = ManualClock()
    let task = Task {
      try await Flask.withLock { try await clock.sleep(for: .seconds(1)) }
    }
    await clock.sleeping(1)
    #expect(Flux.current.locks.count == 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(Flux.current.locks == [])
  }

  @MainActor @Test func `the body runs on the caller's actor`() async {
    await Flask.withLock { MainActor.assertIsolated() }
    #expect(Flux.current.locks == [])
  }
}
