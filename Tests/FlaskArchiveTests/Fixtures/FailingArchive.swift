@testable import FlaskPrimitives
import Foundation

@_spi(Checks) @testable import FlaskArchive

/// Fails as it is told to, and else does what the archive below it does; counts what is saved.
final class FailingArchive: ArchiveBackend {
  private struct Failures {
    var loading: ArchiveError?
    var saving: ArchiveError?
    var removing: ArchiveError?
    var saves = 0
  }

  private let archive: MemoryArchive
  private let failures: Lock<Failures>

  init(
    over archive: MemoryArchive = MemoryArchive(),
    loading: ArchiveError? = nil,
    saving: ArchiveError? = nil,
    removing: ArchiveError? = nil
  ) {
    self.archive = archive
    failures = Lock(Failures(loading: loading, saving: saving, removing: removing))
  }

  var location: String { archive.location }

  var saves: Int { failures.withLock { $0.saves } }

  func setSaving(_ error: ArchiveError?) { failures.withLock { $0.saving = error } }

  func load(_ key: String) throws -> Data? {
    if let error = failures.withLock({ $0.loading }) { throw error }
    return archive.load(key)
  }

  func save(_ data: Data, for key: String) throws {
    let error = failures.withLock { failures in
      failures.saves += 1
      return failures.saving
    }
    if let error { throw error }
    archive.save(data, for: key)
  }

  func remove(_ key: String) throws {
    if let error = failures.withLock({ $0.removing }) { throw error }
    archive.remove(key)
  }

  func keys(withPrefix prefix: String) -> [String] { archive.keys(withPrefix: prefix) }
}
