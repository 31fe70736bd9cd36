import FlaskPrimitives
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// What waits for the lock that the running task holds can't be awaited there.
@Suite(.ownFlux) struct AwaitedUnderLockTests {
  private let tally = Watched<Tally>()

  @Test func `an outcome awaited inside withLock is a fault, and says waiting`() async {
    let receipt = await Flask.withLock { () -> FluxReceipt in
      let receipt = tally.mix { $0.prop.counter = 1 }
      #expect(await receipt.outcome.description == "waiting")
      #expect(receipt.outcomeIfKnown == nil)
      return receipt
    }
    #expect(await receipt.outcome.description == "committed(counter)")
    #expect(FaultLog.takeKinds() == [.awaitedUnderLock])
  }

  @Test func `an outcome of an operation in progress may be awaited inside withLock`() async {
    let (isMixing, goOn) = (Signal(), Gate())
    let receipts = Recorder<FluxReceipt>()
    let flux = Flux.current
    let lock = Flask.lock()
    receipts.append(tally.mix { _ in goOn.wait() })
    let releasing = Task {
      await OtherThread.run { lock.release(isolation: nil) }
    }
    while flux.waitingCount > 0 { await Task.yield() }
    isMixing.fire()
    await Flask.withLock {
      goOn.open()
      #expect(await receipts.all[0].outcome.description == "unchanged")
    }
    await releasing.value
  }

  @Test func `an outcome of an operation that is not submitted yet is a fault`() async {
    let flux = Flux.current
    let operation = FluxOperation(OperationIdentity(.closure), in: flux) { _ in .commit }
    let receipt = FluxReceipt(operation)
    await Flask.withLock {
      #expect(await receipt.outcome.description == "waiting")
    }
    #expect(FaultLog.takeKinds() == [.awaitedUnderLock])
    _ = flux.submit(operation, isolation: .none)
    #expect(await receipt.outcome.description == "unchanged")
  }

  @Test func `a lock of another flux does not stand in the way`() async {
    let other = Flux()
    let receipt = await other.withLock { () -> FluxReceipt in
      let receipt = tally.mix { $0.prop.counter = 1 }
      #expect(await receipt.outcome.description == "committed(counter)")
      return receipt
    }
    #expect(receipt.outcomeIfKnown?.description == "committed(counter)")
  }

  @Test func `withLock is over its timeout: the flux continues while the body does, and a fault says where`()
    async
  {
    let clock = ManualClock()
    let line = UInt(#line + 1)
    await Flask.withLock(timeout: .seconds(1), clock: clock) {
      let receipt = tally.mix { $0.prop.counter = 1 }
      await clock.sleeping(1)
      clock.advance(by: .seconds(2))
      while receipt.outcomeIfKnown == nil { await Task.yield() }
      #expect(await receipt.outcome.description == "committed(counter)")
    }
    let faults = FaultLog.current.take()
    #expect(faults.map(\.kind) == [.lockTimedOut])
    #expect(faults.map(\.line) == [line])
    #expect(tally.substance.state.counter == 1)
  }
}
