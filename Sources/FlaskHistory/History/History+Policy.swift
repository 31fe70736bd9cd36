extension History {
  /// How undo and redo treat values that other operations have changed since the step.
  ///
  /// Elements of an array that have identities, none of them twice, are found by them, as entries of a dictionary by
  /// their keys. Elements without identities, and pieces of text, are found by their places: if another operation has
  /// inserted one before them, another element is at this place, and counts as changed only if its value differs.
  public enum Policy: Sendable {
    /// Values that other operations have changed stay as they are. All other values of the step are undone or redone.
    case keep
    /// Nothing is undone or redone if another operation has changed a value of the step. Then the operation fails with
    /// a `PatchMismatch` that has the path, and the step stays.
    case refuse
  }
}
