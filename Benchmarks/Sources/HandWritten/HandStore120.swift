public import BenchmarkStates

/// The bound for the wide state. See `HandStore10`.
public final class HandStore120 {
  private var state = State120()
  private let onFirst: (Int, Int) -> Void

  /// A store with the initial state.
  ///
  /// - Parameter onFirst: called with the old and the new value when `i0` has changed.
  public init(onFirst: @escaping (Int, Int) -> Void) {
    self.onFirst = onFirst
  }

  /// Changes the state.
  @inline(never)
  public func mutate(_ body: @escaping (inout State120) -> Void) {
    let old = state.i0
    body(&state)
    let new = state.i0
    if old != new { onFirst(old, new) }
  }
}
