import Foundation

/// Lines from any thread.
final class Log: Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  nonisolated(unsafe) private var lines: [String] = []

  var all: [String] { lock.withLock { lines } }

  func add(_ line: String) { lock.withLock { lines.append(line) } }
}
