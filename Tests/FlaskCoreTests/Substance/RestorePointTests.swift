import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

private final class Pin: Sendable {}
private struct Pinning: Sendable { var pin: Pin? }

@Suite(.ownFlux) struct RestorePointTests {
  private let tally = Watched<Tally>()

  @Test func `a rollback returns to the captured state, and reactors hear what changes back`() {
    tally.mix { $0.prop.counter = 1 }
    tally.substance.captureState()
    tally.mix { $0.prop.counter = 2 }
    tally.mix { $0.prop.text = "x" }
    let receipt = tally.substance.rollbackState()
    #expect(receipt.outcomeIfKnown?.description == "committed(counter, text)")
    #expect(tally.substance.state.counter == 1)
    #expect(tally.substance.state.text == "")
    #expect(tally.heard.all == [["counter"], ["counter"], ["text"], ["counter", "text"]])
  }

  @Test func `hidden properties go back too`() {
    tally.substance.captureState()
    tally.mix { $0.prop._hidden = 3 }
    tally.substance.rollbackState()
    #expect(tally.substance.state._hidden == 0)
  }

  @Test func `the restore point stays after a rollback, and goes with commitState`() {
    tally.substance.captureState()
    for number in 1...3 {
      tally.mix { $0.prop.counter = number }
      tally.substance.rollbackState()
      #expect(tally.substance.state.counter == 0)
    }
    tally.substance.commitState()
    #expect(tally.substance.rollbackState().outcomeIfKnown?.description == "aborted")
    #expect(FaultLog.takeKinds() == [.nothingCaptured])
  }

  @Test func `a restore point is released with its substance`() {
    weak var kept: Pin?
    do {
      let pin = Pin()
      kept = pin
      let substance = Substance(Pinning(pin: pin))
      substance.captureState()
      substance.mix { $0.pin = nil }
      #expect(kept != nil)
    }
    #expect(kept == nil)
  }

  @Test func `capturing again moves the restore point`() {
    tally.substance.captureState()
    tally.mix { $0.prop.counter = 1 }
    tally.substance.captureState()
    tally.mix { $0.prop.counter = 2 }
    tally.substance.rollbackState()
    #expect(tally.substance.state.counter == 1)
  }

  @Test func `a rollback without changes is unchanged`() {
    tally.substance.captureState()
    #expect(tally.substance.rollbackState().outcomeIfKnown?.description == "unchanged")
  }

  @Test func `a rollback waits its turn`() {
    tally.substance.captureState()
    let lock = Flask.lock()
    tally.mix { $0.prop.counter = 1 }
    tally.substance.rollbackState()
    tally.mix { $0.prop.counter += 5 }
    lock.release()
    #expect(tally.substance.state.counter == 5)
  }

  @Test func `committing without a restore point does nothing`() {
    tally.substance.commitState()
    #expect(tally.substance.state.counter == 0)
  }
}
