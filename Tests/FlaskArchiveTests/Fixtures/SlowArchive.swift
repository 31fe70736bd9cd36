import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// A place whose reads wait until it is opened.
final class SlowArchive: ArchiveBackend, @unchecked Sendable {
  let probe = BackendProbe()
  private let gate = DispatchSemaphore(value: 0)
  let read = Signal()

  var location: String { probe.location }
  func open() { gate.signal() }

  func load(_ key: String) throws -> Data? {
    #expect(!MainThread.isCurrent)
    read.fire()
    gate.wait()
    gate.signal()
    return try probe.load(key)
  }
  func save(_ data: Data, for key: String) throws { try probe.save(data, for: key) }
  func remove(_ key: String) { probe.remove(key) }
  func keys(withPrefix prefix: String) -> [String] { probe.keys(withPrefix: prefix) }

  /// Saves a state, as an earlier run would have.
  func saveEarlier() {
    let vault = Vault<Tally>(in: probe)
    vault.change {
      $0.prop.counter = 5
      $0.prop.text = "kept"
    }
    #expect(vault.archiveNow())
  }

  /// A substance whose archive is read later.
  func vault() -> Vault<Tally> { Vault<Tally>(in: DeferredArchive(self)) }
}
