import Testing

@testable import FlaskCore
@testable import KernelFixtures

/// An error that the closure of an operation throws, where its receipt is released.
@Suite(.ownFlux) struct DroppedErrorTests {
  private struct Refused: Error {}

  private final class Owner: Sendable {}

  private let counter = Substance(0, name: "counter")

  @Test func `an error of a mix whose receipt is released is a fault at the mix`() {
    counter.mix(fileID: "A/A.swift", line: 7) { _ in throw Refused() }
    #expect(
      FaultLog.current.take().map(\.description) == [
        "A/A.swift:7: Flask fault (errorDropped): an operation threw Refused(), so nothing of it happened, and its receipt was "
          + "released unread; catch the error in the closure, read the receipt's `outcome`, or use `transaction`, which throws it"
      ]
    )
    #expect(counter.state == 0)
  }

  @Test func `a receipt that was read in any way reports nothing`() async throws {
    var receipt = counter.mix { _ in throw Refused() }
    #expect(receipt.outcomeIfKnown?.description == "failed(Refused())")
    receipt = counter.mix { _ in throw Refused() }
    #expect("\(receipt)" == "FluxReceipt(failed(Refused()))")
    receipt = counter.mix { _ in throw Refused() }
    await receipt.finished
    #expect(await counter.mix { _ in throw Refused() }.outcome.description == "failed(Refused())")
    await #expect(throws: Refused.self) { try await counter.transaction { _ in throw Refused() } }
    receipt = counter.mix { $0 += 1 }
    receipt = counter.mix { _ in }
    #expect(FaultLog.current.take().map(\.kind) == [])
  }

  @Test func `the receipt's last copy reports it`() {
    var receipt: FluxReceipt? = counter.mix { _ in throw Refused() }
    var copy = receipt
    receipt = nil
    #expect(FaultLog.current.take().map(\.kind) == [])
    copy = nil
    #expect(FaultLog.current.take().map(\.kind) == [.errorDropped])
    _ = (receipt, copy)
  }

  @Test func `an error of an operation that waits is a fault once it has been performed`() {
    let lock = counter.flux.lock()
    counter.mix(fileID: "A/A.swift", line: 7) { _ in throw Refused() }
    let kept = counter.mix { _ in throw Refused() }
    #expect(FaultLog.current.take().map(\.kind) == [])
    lock.release()
    let faults = FaultLog.current.take().map { "\($0.kind) \($0.fileID):\($0.line)" }
    #expect(faults == ["errorDropped A/A.swift:7"])
    #expect(kept.outcomeIfKnown?.description == "failed(Refused())")
  }

  @Test func `an operation that is purged while it waits reports nothing`() {
    let lock = counter.flux.lock()
    counter.mix { _ in throw Refused() }
    counter.flux.purgeFluxQueue()
    lock.release()
    #expect(FaultLog.current.take().map(\.kind) == [])
  }

  @Test func `chains and mixes of several substances report theirs`() {
    let other = Substance(0, name: "other")
    let owner = Owner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [counter, other])
    reactor.mix(counter) { _ in throw Refused() }.react()
    reactor.mix(counter) { _ in }.mix(other) { _ in throw Refused() }.react()
    Flask.mix(counter, other) { _, _ in throw Refused() }
    #expect(FaultLog.takeKinds() == Array(repeating: .errorDropped, count: 3))
  }
}
