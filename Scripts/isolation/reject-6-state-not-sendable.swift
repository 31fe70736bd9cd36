// Swift 6, error: stored property 'user' of 'Sendable'-conforming struct 'AppState' has non-Sendable type 'User'
import Flask

final class User: Codable { var name = "" }
struct AppState: State { var user = User() }
