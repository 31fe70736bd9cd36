import Foundation

/// A number that any thread may read and write.
final class Cell: Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  nonisolated(unsafe) private var number = 0

  var value: Int {
    get { lock.withLock { number } }
    set { lock.withLock { number = newValue } }
  }
}
