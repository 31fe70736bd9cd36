/// The present abilities of a history: the state of ``History/status``, which is observed as that of any substance.
public struct HistoryStatus: Sendable, Equatable {
  /// Whether there is a step to undo.
  public var canUndo = false
  /// Whether there is a step to make again.
  public var canRedo = false
  /// The name of the step that would be undone; `nil` if it has none.
  public var undoName: String?
  /// The name of the step that would be redone; `nil` if it has none.
  public var redoName: String?

  /// Nothing to undo and nothing to redo.
  public init() {}
}
