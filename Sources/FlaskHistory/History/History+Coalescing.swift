extension History {
  /// The condition under which an operation becomes a part of the last step, instead of starting a new step.
  ///
  /// Whatever the condition, a step ends when it is undone, when an operation that is no part of it changes the
  /// substances, and with ``History/endStep()``.
  public struct Coalescing: Sendable {
    let byName: Bool
    let interval: Duration?

    /// Never: each operation is a step.
    public static let never = Coalescing(byName: false, interval: nil)
    /// Coalesces an operation into the last step if both have a name and the names are equal.
    public static let byName = Coalescing(byName: true, interval: nil)

    /// Coalesces an operation into the last step if at most `interval` has passed since the last operation of the step.
    public static func within(_ interval: Duration) -> Coalescing {
      Coalescing(byName: false, interval: interval)
    }

    /// Coalesces an operation into the last step if both have the same name, and at most `interval` has passed since
    /// the step's last operation.
    public static func byName(within interval: Duration) -> Coalescing {
      Coalescing(byName: true, interval: interval)
    }
  }
}
