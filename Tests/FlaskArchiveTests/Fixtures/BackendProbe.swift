import FlaskPrimitives
import FlaskArchive
import Foundation
import TestSupport

/// Archives in memory that fail and wait as they are told to; counts what is saved.
///
/// `@unchecked Sendable`: everything mutable is touched under `lock` only.
final class BackendProbe: ArchiveBackend, @unchecked Sendable {
  let archive = MemoryArchive()
  private let lock = NSLock()
  private var loadFailure: Oops?
  private var saveFailure: Oops?
  private var gate: Gate?
  private var saved = 0
  let saving = Signal()

  var location: String { archive.location }
  var saves: Int { lock.withLock { saved } }

  func failLoading(_ isFailing: Bool) { lock.withLock { loadFailure = isFailing ? Oops() : nil } }
  func failSaving(_ isFailing: Bool) { lock.withLock { saveFailure = isFailing ? Oops() : nil } }

  /// Each save waits at the gate from now on.
  func hold(at gate: Gate) { lock.withLock { self.gate = gate } }

  func load(_ key: String) throws -> Data? {
    if let failure = lock.withLock({ loadFailure }) { throw failure }
    return archive.load(key)
  }

  func save(_ data: Data, for key: String) throws {
    saving.fire()
    lock.withLock { gate }?.wait()
    let failure = lock.withLock {
      saved += 1
      return saveFailure
    }
    if let failure { throw failure }
    archive.save(data, for: key)
  }

  func remove(_ key: String) { archive.remove(key) }
  func keys(withPrefix prefix: String) -> [String] { archive.keys(withPrefix: prefix) }
}

extension ArchiveBackend {
  /// The JSON text of an archive, without what stands before it; `nil` if there is none.
  func text(_ key: String = "Fx.1.vault") -> String? {
    guard let data = try? load(key) else { return nil }
    return String(decoding: data.dropFirst(34 + key.utf8.count), as: UTF8.self)
  }

  /// Keeps what the older framework would have written.
  func saveOlder(_ text: String, for key: String = "Fx.1.vault") throws {
    let units = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    try save(Data([0xFF, 0xFE] + units), for: key)
  }
}
