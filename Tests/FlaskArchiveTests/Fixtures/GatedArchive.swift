@testable import FlaskPrimitives
import Dispatch
import Foundation

@_spi(Checks) @testable import FlaskArchive

/// Keeps a save waiting until it is let through.
final class GatedArchive: ArchiveBackend {
  private let archive = MemoryArchive()
  private let begun = DispatchSemaphore(value: 0)
  private let gate = DispatchSemaphore(value: 0)
  private let saving = Lock(false)
  private let opened = Lock(false)

  private let failure: ArchiveError?

  init(failingWith failure: ArchiveError? = nil) {
    self.failure = failure
  }

  var location: String { archive.location }
  var isSaving: Bool { saving.withLock { $0 } }

  func waitUntilSaving() { begun.wait() }

  func open() {
    opened.withLock { $0 = true }
    gate.signal()
  }

  func load(_ key: String) -> Data? { archive.load(key) }
  func remove(_ key: String) { archive.remove(key) }
  func keys(withPrefix prefix: String) -> [String] { archive.keys(withPrefix: prefix) }

  func save(_ data: Data, for key: String) throws {
    if !opened.withLock({ $0 }) {
      saving.withLock { $0 = true }
      begun.signal()
      gate.wait()
      saving.withLock { $0 = false }
    }
    if let failure { throw failure }
    archive.save(data, for: key)
  }
}
