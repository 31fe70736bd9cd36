import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Promise 7 of the flux: locks.
@Suite(.ownFlux) struct FluxLockTests {
  private let tally = Watched<Tally>()

  @Test func `the flux continues when the last of several locks is released`() {
    let locks = [Flask.lock(), Flask.lock(), Flask.lock()]
    tally.mix { $0.prop.counter = 1 }
    locks[1].release()
    locks[0].release()
    #expect(tally.substance.state.counter == 0)
    locks[2].release()
    #expect(tally.substance.state.counter == 1)
  }

  @Test func `releasing twice releases once`() {
    let (first, second) = (Flask.lock(), Flask.lock())
    tally.mix { $0.prop.counter = 1 }
    first.release()
    first.release()
    #expect(!first.isHeld)
    #expect(second.isHeld)
    #expect(tally.substance.state.counter == 0)
    second.release()
  }

  @Test func `a lock taken inside a mix stops the flux after it`() {
    let tally = tally
    let locks = Recorder<FluxLock>()
    tally.mix {
      locks.append(Flask.lock())
      $0.prop.counter = 1
      tally.mix { $0.prop.counter = 2 }
    }
    #expect(tally.substance.state.counter == 1)
    locks.all[0].release()
    #expect(tally.substance.state.counter == 2)
  }

  @Test func `a lock suspends the queue, not the caller, and the state can be read`() {
    let lock = Flask.lock()
    tally.mix { $0.prop.counter = 1 }
    #expect(tally.substance.state.counter == 0)
    lock.release()
  }

  @Test func `the flux lists its locks, oldest first, with the place where each was taken`() {
    let first = Flask.lock()
    let second = Flask.lock(); let line: UInt = #line
    #expect(Flux.current.locks == [first, second])
    #expect(second.fileID == "FlaskCoreTests/FluxLockTests.swift")
    #expect(second.line == line)
    #expect(second.description == "FluxLock(FlaskCoreTests/FluxLockTests.swift:\(line), held)")
    first.release()
    second.release()
    #expect(Flux.current.locks == [])
  }

  @Test func `removing locks releases all of them, and the flux continues`() {
    let locks = [Flask.lock(), Flask.lock()]
    let order = Recorder<Int>()
    locks[0].onRelease = { _ in order.append(0) }
    locks[1].onRelease = { _ in order.append(1) }
    tally.mix { $0.prop.counter = 1 }
    Flask.removeLocks()
    #expect(order.all == [0, 1])
    #expect(locks.map(\.isHeld) == [false, false])
    #expect(tally.substance.state.counter == 1)
  }

  @Test func `a purge keeps the locks`() {
    let lock = Flask.lock()
    tally.mix { $0.prop.counter = 1 }
    Flask.purgeFluxQueue()
    #expect(lock.isHeld)
    lock.release()
    #expect(tally.substance.state.counter == 0)
  }

  @Test func `many locks released by many threads let everything through once`() async {
    let locks = (0..<64).map { _ in Flask.lock() }
    let tally = tally
    for _ in 0..<100 { tally.mix { $0.prop.counter += 1 } }
    await OtherThread.run(times: 4) { thread in
      for lock in locks { lock.release() }
      tally.mix { $0.prop.counter += 1 }
      _ = thread
    }
    _ = await tally.mix { _ in }.outcome
    #expect(tally.substance.state.counter == 104)
  }
}
