import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct FluxLockTimeoutTests {
  private let clock = ManualClock()

  @Test func `a lock held for longer than its timeout is released, with a fault`() async {
    let tally = Watched<Tally>()
    let released = Signal()
    let lock = Flask.lock(timeout: .seconds(5), clock: clock); let line: UInt = #line
    lock.onRelease = { _ in released.fire() }
    let receipt = tally.mix { $0.prop.counter = 1 }
    await clock.sleeping(1)
    clock.advance(by: .seconds(4))
    #expect(lock.isHeld)
    clock.advance(by: .seconds(1))
    await released.wait()
    #expect(await receipt.outcome.description == "committed(counter)")
    let faults = FaultLog.current.take()
    #expect(faults.map(\.kind) == [.lockTimedOut])
    #expect(faults.first?.fileID == "FlaskCoreTests/FluxLockTimeoutTests.swift")
    #expect(faults.first?.line == line)
  }

  @Test func `a lock released in time ends its timeout, and is no fault`() async {
    let lock = Flask.lock(timeout: .seconds(5), clock: clock)
    await clock.sleeping(1)
    lock.release()
    await clock.cancellation()
    clock.advance(by: .seconds(10))
    #expect(FaultLog.takeKinds() == [])
  }

  @Test func `a timeout that no clock can measure is one of a hundred years`() async {
    let released = Signal()
    let lock = Flask.lock(timeout: .seconds(Int64.max), clock: clock)
    lock.onRelease = { _ in released.fire() }
    await clock.sleeping(1)
    clock.advance(by: .seconds(3_155_760_000))
    await released.wait()
    #expect(FaultLog.takeKinds() == [.lockTimedOut])
  }

  @Test func `a lock with a mixer times out too`() async {
    let clerk = Clerk()
    let released = Signal()
    let lock = Flask.lock(withMixer: ClerkMixers.add, timeout: .milliseconds(1), clock: clock)
    lock.onRelease = { _ in released.fire() }
    await clock.sleeping(1)
    clock.advance(by: .milliseconds(1))
    await released.wait()
    #expect(clerk.state.counter == 1)
    #expect(FaultLog.takeKinds() == [.lockTimedOut])
  }
}
