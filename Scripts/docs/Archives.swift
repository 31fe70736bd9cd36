import Foundation
struct Cart: FlaskState { var items: [String] = [] }
struct Orders: FlaskState { var numbers: [Int] = [] }
struct AppState: FlaskState { var title = ""; var items: [String] = [] }
struct FeedState: FlaskState { var page = 0 }
struct SessionState: FlaskState { var user = "" }
class Session: Substance<SessionState>, @unchecked Sendable {}
nonisolated let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
  "flask-docs-\(UUID().uuidString)"
)
