import Testing

@testable import FlaskActions
@testable import FlaskCore
@testable import KernelFixtures
@testable import ActionFixtures

/// An error that a reducer throws, where the receipt of its action is released.
@Suite(.ownFlux) struct DroppedErrorOfActionTests {
  @Test func `an error of an action whose receipt is released is a fault`() {
    let dispatcher = FluxDispatcher()
    dispatcher.register(workers: [TallyStore()])
    Fail().dispatch(with: dispatcher)
    #expect(FaultLog.takeKinds() == [.errorDropped])
    dispatcher.unregisterAll()
  }
}
