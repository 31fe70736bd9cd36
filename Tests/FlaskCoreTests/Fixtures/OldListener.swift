import FlaskCore
import TestSupport

/// An owner that implements the older method.
final class OldListener: FlaskReactor, Sendable {
  let heard = Recorder<[String]>()

  func flaskReactor(reaction: FlaskReaction) { heard.append(reaction.keys) }
}
