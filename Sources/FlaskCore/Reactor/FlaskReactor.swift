/// An owner that handles the reactions of its reactor in a method.
///
/// ```swift
/// final class Screen: FlaskReactor {
///   func flaskReactions(reaction: FlaskReaction) {
///     reaction.on(AppState.prop.counter) { change in … }
///   }
/// }
/// ```
/// A class on the main actor adopts it there: `@MainActor final class Screen: @MainActor FlaskReactor`.
public protocol FlaskReactor: AnyObject {
  /// Called for each reaction, in the order of the commits, on the isolation that the reactor was attached from.
  func flaskReactions(reaction: FlaskReaction)

  /// The older name of `flaskReactions(reaction:)`: called if that one is not implemented.
  func flaskReactor(reaction: FlaskReaction)
}

extension FlaskReactor {
  /// Calls `flaskReactor(reaction:)`.
  public func flaskReactions(reaction: FlaskReaction) { flaskReactor(reaction: reaction) }

  /// Reports a fault: the owner implements neither method.
  public func flaskReactor(reaction: FlaskReaction) {
    reaction.record.core.substance.report(
      .reactionsNotImplemented,
      "\(Self.self) adopts FlaskReactor and implements no `flaskReactions(reaction:)`; implement it or set a handler"
    )
  }
}
