/// The error of an action that has no answer: no worker of its dispatcher answers actions of its type, and no living
/// substance defines it.
public struct UnansweredAction: Error {
  /// The type of the action.
  public let type: any FluxAction.Type
}
