import Foundation
import Observation
import TestSupport
import Testing

@testable import FlaskActions
@testable import FlaskCore
@testable import KernelFixtures
@testable import ActionFixtures

/// Stores that are read in a tracked closure.
@Suite(.ownFlux) struct StoreTrackingTests {
  @Test func `two threads that read a store first, at the same time, are both notified`() async {
    for round in 0..<Workload.count(200, full: 4_000) {
      let store = TallyStore()
      let dispatcher = FluxDispatcher()
      dispatcher.register(workers: [store])
      let told = [Signal(), Signal()]
      await OtherThread.run(times: 2) { number in
        withObservationTracking {
          _ = store.state.counter
        } onChange: {
          told[number].fire()
        }
      }
      Add().dispatch(with: dispatcher, isolation: nil)
      // One that is never told hangs here.
      for signal in told { await signal.wait() }
      #expect(store.state.counter == 1, "round \(round)")
    }
  }

  @Test func `a change of a store on another thread before the end of the closure is notified after it`()
    async
  {
    let store = TallyStore()
    let dispatcher = FluxDispatcher()
    dispatcher.register(workers: [store])
    for _ in 1...10 {
      let told = Signal()
      let gate = Gate()
      withObservationTracking {
        _ = store.counter
        Thread {
          Add().dispatch(with: dispatcher, isolation: nil)
          gate.open()
        }.start()
        gate.wait()
      } onChange: {
        told.fire()
      }
      await told.wait()
    }
  }
}
