import BenchmarkStates
import FlaskActions
import FlaskCore

/// An action that one of the workers answers.
struct Increment: FluxAction {}

/// An action that nobody dispatches.
struct Unheard: FluxAction {}

/// Reduces `Increment`.
final class CountingStore: FluxStore<State10>, @unchecked Sendable {
  init() {
    super.init(initialState: State10())
    registerReducer(for: Increment.self) { state, _ in state.counter &+= 1 }
  }
}

/// Reduces something else.
final class IdleStore: FluxStore<State10>, @unchecked Sendable {
  init() {
    super.init(initialState: State10())
    registerReducer(for: Unheard.self) { state, _ in state.counter &+= 1 }
  }
}

/// Handles something else.
final class IdleMiddleware: FluxMiddleware, @unchecked Sendable {
  override init() {
    super.init()
    registerHandler(for: Unheard.self) { _ in }
  }
}
