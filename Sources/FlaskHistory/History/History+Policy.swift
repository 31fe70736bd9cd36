extension History {
  /// The way undo and redo treat values that were changed by others in the meantime.
  public enum Policy: Sendable {
    /// Such values stay, and everything else of the step is undone or redone.
    case keep
    /// Nothing is changed: the operation fails with the `PatchMismatch` that says where, and the step stays.
    case refuse
  }
}
