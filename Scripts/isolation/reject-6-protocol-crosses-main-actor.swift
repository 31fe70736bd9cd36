// Swift 6, error: conformance of 'Screen' to protocol 'FlaskReactor' crosses into main actor-isolated code
import Flask

@MainActor final class Screen: FlaskReactor {
  var count = 0

  func flaskReactions(reaction: FlaskReaction) { count += 1 }
}
