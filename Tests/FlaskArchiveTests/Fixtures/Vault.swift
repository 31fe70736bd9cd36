@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures

/// An archived substance whose clock is moved by hand.
class Vault<S: FlaskState>: Substance<S>, @unchecked Sendable {
  let clock: ManualArchiveScheduler

  init(
    _ name: String = "vault",
    in backend: any ArchiveBackend,
    archive: Bool = true,
    clock: ManualArchiveScheduler = ManualArchiveScheduler()
  ) {
    self.clock = clock
    super.init(name: name, archive: archive, in: backend)
  }

  override func archiveScheduler() -> any ArchiveScheduler { clock }
}

extension Vault {
  /// Moves the clock, and waits until what that has set going is done.
  func pass(_ duration: Duration) {
    clock.advance(by: duration)
    waitForArchive()
  }
}

extension Substance where S: FlaskState {
  /// Waits until all that was begun for the archive is done, and all faults of it are reported.
  func waitForArchive() {
    let archiver = (seatOrFault()?.present as? TypedSubstanceArchive<S>)?.archiver
    archiver?.waitForWork()
    archiver?.waitForFaults()
  }
}
