import FlaskArchive
import Foundation

/// Archives on a shelf in memory, as an example of a backend.
final class ShelfArchive: ArchiveBackend {
  private let lock = NSLock()
  // Guarded by `lock`.
  nonisolated(unsafe) private var shelf: [String: Data] = [:]

  func load(_ key: String) -> Data? {
    lock.withLock { shelf[key] }
  }

  func save(_ data: Data, for key: String) {
    lock.withLock { shelf[key] = data }
  }

  func remove(_ key: String) {
    lock.withLock { _ = shelf.removeValue(forKey: key) }
  }

  func keys(withPrefix prefix: String) -> [String] {
    lock.withLock { shelf.keys.filter { $0.hasPrefix(prefix) } }
  }
}
