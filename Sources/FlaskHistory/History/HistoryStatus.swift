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
