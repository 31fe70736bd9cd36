/// The limits for the duration of an operation, for the duration of a lock, and for the number of waiting operations.
/// Exceeding a limit is a fault.
///
/// `nil` means no limit. In release builds all limits are `nil` by default.
public struct Budgets: Sendable, Hashable {
  /// The limit for one operation, from its beginning to the return of its last synchronous reaction.
  public var operation: Duration?
  /// The limit for one lock, from the time when it was taken.
  public var lock: Duration?
  /// The limit for the number of operations that wait in the queue of the flux.
  public var waiting: Int?

  #if DEBUG
    /// Budgets, by default: 100 ms for an operation, 10 s for a lock, 1,000 waiting operations.
    public init(
      operation: Duration? = .milliseconds(100),
      lock: Duration? = .seconds(10),
      waiting: Int? = 1_000
    ) {
      self.operation = operation
      self.lock = lock
      self.waiting = waiting
    }
  #else
    /// Budgets, by default: none.
    public init(operation: Duration? = nil, lock: Duration? = nil, waiting: Int? = nil) {
      self.operation = operation
      self.lock = lock
      self.waiting = waiting
    }
  #endif

  /// No budgets: only a lock that can never be released is reported.
  public static let none = Budgets(operation: nil, lock: nil, waiting: nil)

  /// The interval of the checks: a quarter of the smallest budget, from 10 ms to a second.
  var interval: Duration {
    let smallest = [operation, lock].compactMap { $0 }.min() ?? .seconds(4)
    return min(max(smallest / 4, .milliseconds(10)), .seconds(1))
  }
}
