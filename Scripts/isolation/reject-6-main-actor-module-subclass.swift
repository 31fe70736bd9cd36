// Swift 6 MainActor, error: has different actor isolation from nonisolated overridden declaration
import Flask

struct AppState: State { var counter = 0 }

class Feed: Substance<AppState>, @unchecked Sendable {}
