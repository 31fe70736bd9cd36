public import BenchmarkStates
internal import Foundation

/// The bound for several threads: the hand-written store inside a lock.
///
/// `@unchecked Sendable`: everything mutable is touched inside `lock` only.
public final class LockedHandStore10: @unchecked Sendable {
  private let lock = NSLock()
  private var state = State10()
  private let onCounter: (Int, Int) -> Void

  /// A store with the initial state.
  ///
  /// - Parameter onCounter: called inside the lock, with the old and the new value when `counter` has changed.
  public init(onCounter: @escaping @Sendable (Int, Int) -> Void) {
    self.onCounter = onCounter
  }

  /// The number of changes so far.
  public var counter: Int { lock.withLock { state.counter } }

  /// Changes the state. From any thread.
  @inline(never)
  public func mutate(_ body: @escaping @Sendable (inout State10) -> Void) {
    lock.lock()
    defer { lock.unlock() }
    let old = state.counter
    body(&state)
    let new = state.counter
    if old != new { onCounter(old, new) }
  }
}
