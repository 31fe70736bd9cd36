import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures

/// States that can be archived.
@Suite(.ownFlux) struct ArchivedStateTests {
  enum Phase: Sendable, Equatable {
    case idle
    case loading(Int)
  }

  @Test func `a state that is no FlaskState is not archived, which is a fault`() {
    let phase = Substance(Phase.idle, name: "phase")
    phase.shouldArchive = true
    phase.mix { $0 = .loading(1) }
    #expect(FaultLog.current.take().map(\.kind) == [.archiveOff])
  }
}
