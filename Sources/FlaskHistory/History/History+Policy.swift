extension History {
  /// What undo and redo do about values that others have changed meanwhile.
  public enum Policy: Sendable {
    /// They stay, and everything else of the step is taken back or made again.
    case keep
    /// Nothing is changed: the operation fails with the `PatchMismatch` that says where, and the step stays.
    case refuse
  }
}
