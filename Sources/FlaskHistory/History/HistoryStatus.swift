/// Whether a history can undo and redo at present: the state of ``History/status``, which is observed like any other
/// substance.
public struct HistoryStatus: Sendable, Equatable {
  /// Whether a step can be undone.
  public var canUndo = false
  /// Whether a step can be redone.
  public var canRedo = false
  /// The name of the step that `undo()` would undo; `nil` if there is no step, or if the step has no name.
  public var undoName: String?
  /// The name of the step that `redo()` would redo; `nil` if there is no step, or if the step has no name.
  public var redoName: String?

  /// Nothing to undo and nothing to redo.
  public init() {}
}
