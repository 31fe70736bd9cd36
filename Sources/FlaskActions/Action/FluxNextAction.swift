/// The action that a worker passes to the next one.
public struct FluxNextAction: Sendable {
  enum Kind: Sendable {
    case same
    case other(any FluxAction)
    case none
  }

  let kind: Kind

  /// The unchanged action goes to the next worker.
  @inline(__always)
  public static func next() -> FluxNextAction { FluxNextAction(kind: .same) }

  /// `action` goes to the next worker instead, of whatever type.
  public static func next(_ action: any FluxAction) -> FluxNextAction { FluxNextAction(kind: .other(action)) }

  /// No action goes to the next worker: the workers behind this one do not see it. The changes of the workers before it
  /// stay.
  public static func stop() -> FluxNextAction { FluxNextAction(kind: .none) }
}
