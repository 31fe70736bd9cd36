extension History {
  /// The condition for coalescing an operation into the last step, instead of starting another one.
  ///
  /// A step ends in any case when it has been undone, when another operation has changed the substances, and with
  /// ``History/endStep()``.
  public struct Coalescing: Sendable {
    let byName: Bool
    let interval: Duration?

    /// Never: each operation is a step.
    public static let never = Coalescing(byName: false, interval: nil)
    /// Coalesces an operation into the last step if both have the same name, and have one.
    public static let byName = Coalescing(byName: true, interval: nil)

    /// If no more than `interval` has passed since the last operation of the step.
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
