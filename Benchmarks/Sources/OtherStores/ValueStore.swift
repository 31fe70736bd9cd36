internal import Foundation

/// A store of the kind that most frameworks are built around: a reducer makes the next state from the whole state
/// and an action, and every subscriber is told each state.
///
/// `@unchecked Sendable`: everything mutable is touched inside `lock` only.
public final class ValueStore<State, Action>: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var state: State
  private let reduce: (State, Action) -> State
  private var subscribers: [(State) -> Void] = []

  /// - Parameters:
  ///   - initial: the first state.
  ///   - reduce: makes the next state.
  public init(_ initial: State, reduce: @escaping @Sendable (State, Action) -> State) {
    state = initial
    self.reduce = reduce
  }

  /// Calls `handler` with each value of a property that differs from the one before.
  public func subscribe<Value: Equatable>(
    to property: @escaping (State) -> Value,
    _ handler: @escaping (Value, Value) -> Void
  ) {
    lock.withLock {
      var last = property(state)
      subscribers.append { state in
        let next = property(state)
        if next == last { return }
        handler(last, next)
        last = next
      }
    }
  }

  /// The current state. From any thread.
  public var current: State { lock.withLock { state } }

  /// Performs an action. From any thread.
  @inline(never)
  public func dispatch(_ action: Action) {
    lock.lock()
    defer { lock.unlock() }
    state = reduce(state, action)
    for subscriber in subscribers { subscriber(state) }
  }
}
