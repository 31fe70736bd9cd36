import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct FluxLockOnReleaseTests {
  @Test func `onRelease is called once, with the context`() {
    let lock = Flask.lock()
    let contexts = Recorder<String>()
    lock.onRelease = { contexts.append($0 as? String ?? "none") }
    lock.release("done")
    lock.release("again")
    #expect(contexts.all == ["done"])
  }

  @Test func `onRelease set after the release is called at once, with the context`() {
    let lock = Flask.lock()
    lock.release(7)
    let contexts = Recorder<Int>()
    lock.onRelease = { contexts.append($0 as? Int ?? -1) }
    #expect(contexts.all == [7])
  }

  @Test func `a release without context reports nil`() {
    let lock = Flask.lock()
    let isNil = Recorder<Bool>()
    lock.onRelease = { isNil.append($0 == nil) }
    lock.release()
    #expect(isNil.all == [true])
  }

  @Test func `onRelease is called before the flux continues`() {
    let tally = Watched<Tally>()
    let seen = Recorder<Int>()
    let lock = Flask.lock()
    lock.onRelease = { _ in seen.append(tally.substance.state.counter) }
    tally.mix { $0.prop.counter = 1 }
    lock.release()
    #expect(seen.all == [0])
    #expect(tally.substance.state.counter == 1)
  }

  @Test func `a lock taken in onRelease keeps the flux paused`() {
    let tally = Watched<Tally>()
    let next = Recorder<FluxLock>()
    let lock = Flask.lock()
    lock.onRelease = { _ in next.append(Flask.lock()) }
    tally.mix { $0.prop.counter = 1 }
    lock.release()
    #expect(tally.substance.state.counter == 0)
    next.all[0].release()
    #expect(tally.substance.state.counter == 1)
  }

  @Test func `onRelease is called once although four threads release`() async {
    for _ in 0..<50 {
      let lock = Flask.lock()
      let calls = Recorder<Bool>()
      lock.onRelease = { _ in calls.append(true) }
      await OtherThread.run(times: 4) { _ in lock.release() }
      #expect(calls.count == 1)
    }
  }
}
