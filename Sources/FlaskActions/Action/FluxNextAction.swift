/// The action that a worker passes to the next worker.
public struct FluxNextAction: Sendable {
  enum Kind: Sendable {
    case same
    case other(any FluxAction)
    case none
  }

  let kind: Kind

  /// Passes the unchanged action to the next worker.
  @inline(__always)
  public static func next() -> FluxNextAction { FluxNextAction(kind: .same) }

  /// Passes `action`, which may have any type, to the next worker instead.
  public static func next(_ action: any FluxAction) -> FluxNextAction { FluxNextAction(kind: .other(action)) }

  /// Passes no action, so later workers are not asked. Changes by earlier workers are still committed.
  public static func stop() -> FluxNextAction { FluxNextAction(kind: .none) }
}
