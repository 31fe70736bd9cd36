internal import FlaskPrimitives
internal import Synchronization

/// Counts an action and the unfinished work that it has started: effects, and actions that effects or workers dispatch.
///
/// An action that an effect dispatches has a separate tracker, which counts as one piece of work in the tracker of the
/// effect. So the effect can wait for the action, and does not wait for itself. The separate tracker counts in the
/// nearest outer tracker for which a receipt may still wait. So an endless chain of effects needs memory only for its
/// present links.
final class ActionTracker: Sendable {
  private struct State {
    var open: Int
    var waiting = WaitingTasks()
    var failure: (any Error)?
  }

  private let state = Lock(State(open: 1))
  /// The tracker in which this tracker counts.
  let outer: ActionTracker?
  /// The number of receipts that may wait for this tracker.
  let followers = Atomic<Int>(0)

  /// A tracker of work in progress.
  init() { outer = nil }

  /// Creates a tracker for an action that an effect dispatches.
  ///
  /// - Parameter tracker: the tracker of the effect.
  init(in tracker: ActionTracker) {
    var nearest = tracker
    while nearest.followers.load(ordering: .relaxed) == 0, let next = nearest.outer { nearest = next }
    outer = nearest
    nearest.enter()
  }

  func enter() {
    var next: ActionTracker? = self
    while let tracker = next {
      let isFirst = tracker.state.withLock { state in
        state.open += 1
        return state.open == 1
      }
      next = isFirst ? tracker.outer : nil
    }
  }

  /// Ends one piece of the counted work. Must be called once for the initialiser, and once for each `enter()`.
  func leave() {
    var next: ActionTracker? = self
    while let tracker = next {
      let waiting = tracker.state.withLock { state in
        state.open -= 1
        return state.open == 0 ? state.waiting.takeAll() : nil
      }
      for continuation in waiting ?? [] { continuation.resume() }
      next = waiting == nil ? nil : tracker.outer
    }
  }

  /// The first failure.
  var failure: (any Error)? { state.withLock { $0.failure } }

  /// Records the first failure of the action or of work that it has started, here and in the trackers of the actions
  /// that caused it.
  func fail(_ error: any Error) {
    state.withLock { if $0.failure == nil { $0.failure = error } }
    outer?.fail(error)
  }

  /// Whether this tracker is `other`, or counts in it.
  func counts(in other: ActionTracker) -> Bool {
    var next: ActionTracker? = self
    while let tracker = next {
      if tracker === other { return true }
      next = tracker.outer
    }
    return false
  }

  /// Waits until the action and all work that it has started have ended, or until the calling task is cancelled. If the
  /// task is that of an effect which is itself part of the work, or which blocks it, the wait ends with a fault.
  func finished() async {
    if let effect = RunningEffect.here { return await effect.engine.wait(for: self, by: effect.run) }
    await finished(WaitingTasks.Ticket())
  }

  func finished(_ ticket: WaitingTasks.Ticket) async {
    await WaitingTasks.wait(isCancellable: true, ticket: ticket) { [state] body in
      state.withLock { if $0.open > 0 { body(&$0.waiting) } }
    }
  }

  /// Ends one wait.
  func end(_ ticket: WaitingTasks.Ticket) {
    WaitingTasks.end(ticket) { body in state.withLock { body(&$0.waiting) } }
  }
}
