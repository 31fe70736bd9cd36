import Foundation

@_spi(Checks) @testable import FlaskArchive
import TestSupport

/// Calls back whenever it is called.
final class CallingArchive: ArchiveBackend {
  let calls = Recorder<String>()
  private let archive: MemoryArchive
  private let callBack: @Sendable () -> Void

  init(over archive: MemoryArchive, callBack: @escaping @Sendable () -> Void) {
    self.archive = archive
    self.callBack = callBack
  }

  var location: String {
    record("location")
    return archive.location
  }

  func load(_ key: String) -> Data? {
    record("load")
    return archive.load(key)
  }

  func save(_ data: Data, for key: String) {
    record("save")
    archive.save(data, for: key)
  }

  func remove(_ key: String) {
    record("remove")
    archive.remove(key)
  }

  func keys(withPrefix prefix: String) -> [String] { archive.keys(withPrefix: prefix) }

  private func record(_ call: String) {
    calls.append(call)
    callBack()
  }
}
