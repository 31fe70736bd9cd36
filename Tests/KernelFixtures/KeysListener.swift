import FlaskCore
import TestSupport

/// An owner that writes down the keys of each reaction.
final class KeysListener: FlaskReactor, Sendable {
  let heard = Recorder<[String]>()

  func flaskReactions(reaction: FlaskReaction) { heard.append(reaction.keys) }
}
