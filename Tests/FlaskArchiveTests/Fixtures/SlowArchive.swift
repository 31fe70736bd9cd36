import Foundation
import Testing

@testable import FlaskArchive
@testable import FlaskCore
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
}
