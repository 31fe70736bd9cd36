// Swift 6, error: main actor-isolated conformance of 'Screen' to 'FlaskReactor' cannot be used in nonisolated context
import Flask

struct AppState: State { var counter = 0 }

@MainActor final class Screen: @MainActor FlaskReactor {
  func flaskReactions(reaction: FlaskReaction) {}
}

func attach(_ substance: Substance<AppState>, _ screen: Screen) {
  Flask.attachReactor(to: screen, mixing: substance)
}
