import FlaskArchive
import Foundation

/// Counts and times the saves of the archive below it.
///
/// `@unchecked Sendable`: what is mutable is touched under `lock` only.
final class TimedArchive: ArchiveBackend, @unchecked Sendable {
  private let archive: FileArchive
  private let lock = NSLock()
  private var saves = 0
  private var time = Duration.zero

  init(_ archive: FileArchive) { self.archive = archive }

  var location: String { archive.location }
  var count: Int { lock.withLock { saves } }
  /// In microseconds.
  var longest: Int64 { lock.withLock { Int64(time / .microseconds(1)) } }

  func load(_ key: String) throws -> Data? { try archive.load(key) }

  func save(_ data: Data, for key: String) throws {
    let spent = try ContinuousClock().measure { try archive.save(data, for: key) }
    lock.withLock {
      saves += 1
      time = max(time, spent)
    }
  }

  func remove(_ key: String) throws { try archive.remove(key) }
  func keys(withPrefix prefix: String) throws -> [String] { try archive.keys(withPrefix: prefix) }
}
