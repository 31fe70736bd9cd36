// What the README and the pages on scopes and derived values name without declaring it.
struct AccountState: FlaskState { var balance = 0 }
struct JournalState: FlaskState { var entries: [String] = [] }
struct SessionState: FlaskState {
  struct User: Codable, Sendable { var name = "" }
  var user = User()
}
struct FeedState: FlaskState { var page = 0 }
struct Settings: FlaskState { var volume = 1 }
struct SearchText: FluxAction { let text: String }
nonisolated let accounts = Substance(AccountState())
nonisolated let journal = Substance(JournalState())
nonisolated let feed = Substance(FeedState())
nonisolated let session = Substance(SessionState())
nonisolated let dispatcher = FluxDispatcher()
nonisolated func upload() async throws {}
