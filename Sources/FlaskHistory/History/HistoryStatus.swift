/// What a history can do now: the state of ``History/status``, which is observed as that of any substance.
public struct HistoryStatus: Sendable, Equatable {
  /// Whether there is a step to take back.
  public var canUndo = false
  /// Whether there is a step to make again.
  public var canRedo = false
  /// The name of the step that would be taken back; `nil` if it has none.
  public var undoName: String?
  /// The name of the step that would be made again; `nil` if it has none.
  public var redoName: String?

  /// Nothing to take back and nothing to make again.
  public init() {}
}

extension History {
  /// When an operation goes on with the last step, instead of beginning another one.
  ///
  /// A step is over, whatever is said here, when it has been taken back, when something else has changed the
  /// substances, and with ``History/endStep()``.
  public struct Coalescing: Sendable {
    let byName: Bool
    let interval: Duration?

    /// Never: each operation is a step.
    public static let never = Coalescing(byName: false, interval: nil)
    /// If both have the same name, and have one.
    public static let byName = Coalescing(byName: true, interval: nil)

    /// If no more than `interval` has passed since the last operation of the step.
    public static func within(_ interval: Duration) -> Coalescing {
      Coalescing(byName: false, interval: interval)
    }

    /// If both have the same name, and no more than `interval` has passed since the last operation of the step.
    public static func byName(within interval: Duration) -> Coalescing {
      Coalescing(byName: true, interval: interval)
    }
  }

  /// What undo and redo do about values that others have changed meanwhile.
  public enum Policy: Sendable {
    /// They stay, and everything else of the step is taken back or made again.
    case keep
    /// Nothing is changed: the operation fails with the `PatchMismatch` that says where, and the step stays.
    case refuse
  }
}
