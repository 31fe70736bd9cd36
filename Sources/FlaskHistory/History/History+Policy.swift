extension History {
  /// How undo and redo treat values that other operations have changed since the step.
  public enum Policy: Sendable {
    /// Such values stay as they are. All other values of the step are undone or redone.
    case keep
    /// Nothing is changed: the operation fails with the `PatchMismatch` that says where, and the step stays.
    case refuse
  }
}
