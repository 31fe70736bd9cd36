internal import FlaskSharing
internal import Foundation

/// The turn of a database: at most one process, and one thread of it, has it. A process that dies gives it up.
///
/// SQLite's own waiting is not fair: of ten greedy processes one may have all transactions.
final class TurnFile: Sendable {
  /// How long a turn is waited for. A process that is stopped in its transaction keeps it.
  static let patience: TimeInterval = 10

  private let path: String
  private let descriptor: Int32
  private let here = NSLock()

  init(_ path: String, isReadOnly: Bool) throws {
    self.path = path
    // A lock can be taken on a file that is open to be read.
    descriptor = open(path, (isReadOnly ? O_RDONLY : O_RDWR | O_CREAT) | O_CLOEXEC, 0o600)
    if descriptor < 0, !isReadOnly { throw FileSystem.failure("the file \(path) can't be opened") }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits for the turn, at most for some seconds.
  ///
  /// - Returns: whether it was taken.
  func take(within limit: TimeInterval) -> Bool {
    let deadline = Date(timeIntervalSinceNow: limit)
    guard here.lock(before: deadline) else { return false }
    if descriptor < 0 { return true }
    var rest: useconds_t = 250
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno != EINTR, Date() >= deadline {
        here.unlock()
        return false
      }
      usleep(rest)
      rest = min(4000, rest * 2)
    }
    return true
  }

  /// Performs `body` in the turn.
  ///
  /// - Throws: `RecordStoreError.unavailable` if another process keeps the turn.
  func performing<Result>(_ body: () throws -> Result) throws -> Result {
    guard take(within: Self.patience) else {
      throw RecordStoreError.unavailable(
        "another process has had the turn of \(path) for \(Int(Self.patience)) s"
      )
    }
    defer { giveUp() }
    return try body()
  }

  func giveUp() {
    if descriptor >= 0 { _ = flock(descriptor, LOCK_UN) }
    here.unlock()
  }
}
