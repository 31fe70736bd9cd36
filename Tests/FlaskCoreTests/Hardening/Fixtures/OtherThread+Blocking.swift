import Foundation

extension OtherThread {
  /// Runs `body` on a new thread while this one waits, and with it the actor that it performs.
  static func runBlocking(_ body: @escaping @Sendable () -> Void) {
    let gate = Gate()
    let once = Once(body)
    let thread = Thread {
      once.perform()
      gate.open()
    }
    thread.start()
    gate.wait()
  }
}

/// Returns when something is so that the main actor is to bring about, or when it has had time enough.
func mainActorIsDone(until isDone: @Sendable () -> Bool) async {
  for _ in 0..<10_000 where !isDone() {
    await mainActorIsDone()
    await Task.yield()
  }
}

/// Returns when the main actor has performed what was handed to it before.
func mainActorIsDone() async { await Task { @MainActor in }.value }
