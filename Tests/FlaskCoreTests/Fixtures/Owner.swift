import Foundation

@testable import FlaskCore

/// An owner of reactors that does nothing by itself.
final class Owner: Sendable {}

/// Returns when something is so that another thread is about to bring about, or when it has had time enough: whoever
/// tells that it has ended may hold for a moment longer what it used.
func soon(_ isDone: () -> Bool) async {
  for _ in 0..<100_000 {
    if isDone() { return }
    await Task.yield()
  }
}

/// The same on this thread.
func spin(until isDone: () -> Bool) {
  for _ in 0..<100_000 {
    if isDone() { return }
    sched_yield()
  }
}

extension ReactorManager {
  /// Purges until something is so. One purge is enough, unless a test on another thread looks at all reactors, too, and
  /// so holds one, or its owner, for a moment.
  static func purge(until isDone: () -> Bool) {
    for _ in 0..<100_000 {
      purge()
      if isDone() { return }
      sched_yield()
    }
  }
}
