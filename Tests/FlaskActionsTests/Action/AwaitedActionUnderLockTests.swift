import Testing

@testable import FlaskActions
@testable import FlaskCore
@testable import KernelFixtures
@testable import ActionFixtures

/// An action that waits for the lock that the running task holds cannot be awaited there.
@Suite(.ownFlux) struct AwaitedActionUnderLockTests {
  @Test func `an action awaited to its end inside withLock is a fault too, and does not hang`() async {
    let dispatcher = FluxDispatcher()
    let store = TallyStore()
    dispatcher.register(workers: [store])
    let receipt = await Flask.withLock { () -> FluxReceipt in
      let receipt = dispatcher.dispatch(Add())
      await receipt.finished
      return receipt
    }
    await receipt.finished
    #expect(store.state.counter == 1)
    #expect(FaultLog.takeKinds() == [.awaitedUnderLock])
    dispatcher.unregisterAll()
  }
}
