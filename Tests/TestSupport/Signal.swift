import Foundation

/// Fires once; whoever waits, before or after, goes on. Waits by suspending.
///
/// `@unchecked Sendable`: everything mutable is touched under `lock` only.
package final class Signal: @unchecked Sendable {
  private let lock = NSLock()
  private var hasFired = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init() {}

  package func fire() {
    let waiting = lock.withLock {
      hasFired = true
      defer { self.waiting = [] }
      return self.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  package func wait() async {
    await withCheckedContinuation { continuation in
      let isDone = lock.withLock {
        if !hasFired { waiting.append(continuation) }
        return hasFired
      }
      if isDone { continuation.resume() }
    }
  }
}
