// Swift 6 MainActor, error: main actor-isolated initializer 'init(name:archive:in:fileID:line:)' has different actor isolation from nonisolated overridden declaration
import Flask

struct AppState: State { var counter = 0 }

class Feed: Substance<AppState>, @unchecked Sendable {}
