import Foundation

/// Returns when something is so that another thread is about to bring about, or when it has had time enough: whoever
/// tells that it has ended may hold for a moment longer what it used.
package func soon(_ isDone: () -> Bool) async {
  for _ in 0..<100_000 {
    if isDone() { return }
    await Task.yield()
  }
}

/// The same on this thread.
package func spin(until isDone: () -> Bool) {
  for _ in 0..<100_000 {
    if isDone() { return }
    sched_yield()
  }
}

/// Returns when something is so that the main actor is to bring about, or when it has had time enough.
package func mainActorIsDone(until isDone: @Sendable () -> Bool) async {
  for _ in 0..<10_000 where !isDone() {
    await mainActorIsDone()
    await Task.yield()
  }
}

/// Returns when the main actor has performed what was handed to it before.
package func mainActorIsDone() async { await Task { @MainActor in }.value }
