/// The action that a worker passes to the next one.
public struct FluxNextAction: Sendable {
  enum Kind: Sendable {
    case same
    case other(any FluxAction)
    case none
  }

  let kind: Kind

  /// The action goes on as it came.
  @inline(__always)
  public static func next() -> FluxNextAction { FluxNextAction(kind: .same) }

  /// `action` goes on instead, of whatever type.
  public static func next(_ action: any FluxAction) -> FluxNextAction { FluxNextAction(kind: .other(action)) }

  /// Nothing goes on: the workers behind this one do not see the action. What the workers before it did stays.
  public static func stop() -> FluxNextAction { FluxNextAction(kind: .none) }
}
