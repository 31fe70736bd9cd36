import FlaskPrimitives
import FlaskArchive
import Foundation

/// Archives in memory that several groups share as several processes would; counts what is saved.
///
/// `@unchecked Sendable`: everything mutable is touched under `lock` only.
final class SharedProbe: ObservableArchiveBackend, @unchecked Sendable {
  let archive: MemoryArchive
  private let lock = NSLock()
  private var saved = 0
  private var observeFailure: ArchiveError?
  private var full = false

  init(_ archive: MemoryArchive = MemoryArchive()) { self.archive = archive }

  var location: String { archive.location }
  var saves: Int { lock.withLock { saved } }

  func failObserving(_ error: ArchiveError?) { lock.withLock { observeFailure = error } }

  /// While it is full, nothing can be saved.
  var isFull: Bool {
    get { lock.withLock { full } }
    set { lock.withLock { full = newValue } }
  }

  func load(_ key: String) -> Data? { archive.load(key) }

  func save(_ data: Data, for key: String) {
    lock.withLock { saved += 1 }
    archive.save(data, for: key)
  }

  func save(_ data: Data, for key: String, replacing expected: Data?) throws -> Bool {
    if isFull { throw ArchiveError.refused(reason: "full") }
    let isSaved = archive.save(data, for: key, replacing: expected)
    if isSaved { lock.withLock { saved += 1 } }
    return isSaved
  }

  func observe(_ key: String, onChange: @escaping @Sendable (ArchiveError?) -> Void) throws
    -> ArchiveObservation
  {
    if let failure = lock.withLock({ observeFailure }) { throw failure }
    return archive.observe(key, onChange: onChange)
  }

  func remove(_ key: String) { archive.remove(key) }
  func keys(withPrefix prefix: String) -> [String] { archive.keys(withPrefix: prefix) }
}
