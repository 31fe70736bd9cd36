import Foundation

import FlaskCore

/// An owner of reactors that does nothing by itself.
final class Owner: Sendable {}

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
