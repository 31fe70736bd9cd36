// Swift 6 MainActor, error: main actor-isolated initializer 'init(
import Flask

struct AppState: State { var counter = 0 }

class Feed: Substance<AppState>, @unchecked Sendable {}
