// Swift 6 MainActor, error: main actor-isolated default value in a nonisolated context
import Flask

struct Profile: Sendable {
  var name: String
  init() { name = "" }
}

nonisolated struct AppState: Sendable { var profile = Profile() }
