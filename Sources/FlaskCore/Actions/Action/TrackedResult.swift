/// The result of an action that has been performed, and what waits for its effects.
final class TrackedResult: Sendable {
  let result: OperationResult
  let tracker: ActionTracker

  init(result: OperationResult, tracker: ActionTracker) {
    self.result = result
    self.tracker = tracker
  }
}
