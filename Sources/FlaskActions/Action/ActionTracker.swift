internal import FlaskPrimitives

/// Counts what an action has set going, itself included: effects, and the actions that these and the workers dispatch.
///
/// One tracker serves everything that one dispatch led to, so a chain of effects without end costs no more than its
/// links.
final class ActionTracker: Sendable {
  private struct State {
    var open: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Lock<State>

  /// A tracker of something that is going on.
  init() { state = Lock(State(open: 1)) }

  func enter() { state.withLock { $0.open += 1 } }

  /// To be called once for the initialiser and for each `enter()`.
  func leave() {
    let waiting = state.withLock { state in
      state.open -= 1
      guard state.open == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns once nothing is going on.
  func finished() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.open > 0 { state.waiting.append(continuation) }
        return state.open == 0
      }
      if isDone { continuation.resume() }
    }
  }
}
