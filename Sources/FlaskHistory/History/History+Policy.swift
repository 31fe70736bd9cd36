extension History {
  /// How undo and redo treat values that other operations have changed since the step.
  ///
  /// Array elements with unique identities are found by identity, and dictionary entries by key. Other elements, and
  /// pieces of text, are found by offset.
  ///
  /// Example: a step changed the number at offset 2, and another operation then inserted a number at offset 0. Undo
  /// looks at offset 2 again, where another number is now. It counts as changed if its value differs.
  ///
  /// Later versions may add cases: a `switch` over it has an `@unknown default`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Policy: Sendable {
    /// Values that other operations have changed stay as they are. All other values of the step are undone or redone.
    case keep
    /// Nothing is undone or redone if another operation has changed a value of the step. Then the operation fails with
    /// a `PatchMismatch` that has the path, and the step stays.
    case refuse
  }
}
