import FlaskCore
import FlaskHistory
import TestSupport

/// An optimistic change that waits for its answer.
struct PendingChange {
  private struct Refused: Error {}

  let answer = Signal()
  let task: Task<Void, any Error>

  init(
    _ history: History,
    fails: Bool = false,
    _ change: @escaping @Sendable () -> FluxReceipt
  ) async {
    let asked = Signal()
    task = Task { [answer] in
      try await history.optimistic("Edit") {
        change()
      } confirmedBy: {
        asked.fire()
        await answer.wait()
        if fails { throw Refused() }
      }
    }
    await asked.wait()
  }

  func end() async {
    answer.fire()
    _ = await task.result
  }
}
