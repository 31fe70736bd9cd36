public import BenchmarkStates

/// The bound: what one writes by hand for one watched property, without thread safety and without transactions.
///
/// Never inlined into a measuring loop, as the store of another module is not.
public final class HandStore10 {
  private var state = State10()
  private let onCounter: (Int, Int) -> Void

  /// A store with the initial state.
  ///
  /// - Parameter onCounter: called with the old and the new value when `counter` has changed.
  public init(onCounter: @escaping (Int, Int) -> Void) {
    self.onCounter = onCounter
  }

  /// Changes the state.
  @inline(never)
  public func mutate(_ body: @escaping (inout State10) -> Void) {
    let old = state.counter
    body(&state)
    let new = state.counter
    if old != new { onCounter(old, new) }
  }
}
