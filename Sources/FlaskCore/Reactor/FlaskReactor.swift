/// An owner that handles the reactions of its reactor in a method.
///
/// ```swift
/// final class Screen: FlaskReactor {
///   func flaskReactions(reaction: FlaskReaction) {
///     reaction.on(AppState.prop.counter) { change in … }
///   }
/// }
/// ```
/// A class on the main actor adopts it there, in either language mode: `@MainActor final class Screen: @MainActor
/// FlaskReactor`. An actor adopts `FlaskReactorActor`.
public protocol FlaskReactor: AnyObject {
  /// Called for each reaction, in the order of the commits, on the isolation that the reactor was attached from.
  func flaskReactions(reaction: FlaskReaction)

  /// The older name of `flaskReactions(reaction:)`. It is called if the owner does not implement
  /// `flaskReactions(reaction:)`.
  func flaskReactor(reaction: FlaskReaction)
}

extension FlaskReactor {
  /// Calls `flaskReactor(reaction:)`.
  public func flaskReactions(reaction: FlaskReaction) { flaskReactor(reaction: reaction) }

  /// Reports a fault, once for each type: the owner implements neither method.
  public func flaskReactor(reaction: FlaskReaction) {
    reaction.reportUnimplemented("\(Self.self)", ObjectIdentifier(Self.self))
  }
}

extension FlaskReaction {
  /// Reports a type that implements neither method, at the location where its reactor was attached.
  fileprivate func reportUnimplemented(_ type: String, _ identifier: ObjectIdentifier) {
    guard commit.substance.flux.once.isFirst(.reactorUnimplemented, identifier) else { return }
    let location = members.location ?? commit.substance.cell.subject.location
    commit.cell.report(
      .reactionsNotImplemented,
      "\(type) adopts FlaskReactor and implements no `flaskReactions(reaction:)`; implement it or set a handler",
      at: location
    )
  }
}
