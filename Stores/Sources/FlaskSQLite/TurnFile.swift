internal import FlaskSharing
internal import Foundation

/// The turn of a database: at most one process, and one thread of it, has it. A process that dies gives it up.
///
/// SQLite's own waiting is not fair: of ten greedy processes one may have all transactions.
final class TurnFile: Sendable {
  private let descriptor: Int32
  private let here = NSLock()

  init(_ path: String, isReadOnly: Bool) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor < 0, !isReadOnly { throw FileSystem.failure("the file \(path) can't be opened") }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits for the turn.
  func take() {
    here.lock()
    while descriptor >= 0, flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  func giveUp() {
    if descriptor >= 0 { _ = flock(descriptor, LOCK_UN) }
    here.unlock()
  }
}
