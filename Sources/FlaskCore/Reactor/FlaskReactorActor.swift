/// An actor that handles the reactions of its reactor in a method, isolated to itself.
///
/// ```swift
/// actor Recorder: FlaskReactorActor {
///   func flaskReactions(reaction: FlaskReaction) { … }
/// }
/// ```
public protocol FlaskReactorActor: Actor {
  /// Called for each reaction, in the order of the commits.
  func flaskReactions(reaction: FlaskReaction)
}
