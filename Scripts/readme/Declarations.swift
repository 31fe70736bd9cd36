// What the README's pieces of code name without declaring it.
import Flask

struct AccountState: State { var balance = 0 }
struct JournalState: State { var entries: [String] = [] }
struct SessionState: State {
  struct User: Codable, Sendable { var name = "" }
  var user = User()
}
struct FeedState: State { var page = 0 }
struct Settings: State { var volume = 1 }
struct Search: FluxAction { let text: String }
nonisolated final class Owner: Sendable {}
nonisolated let owner = Owner()
nonisolated let accounts = Flask.newSubstance(definedBy: AccountState.self)
nonisolated let journal = Flask.newSubstance(definedBy: JournalState.self)
nonisolated let feed = Flask.newSubstance(definedBy: FeedState.self)
nonisolated let session = Substance(SessionState())
nonisolated let reactor = Flask.reactor(attachedTo: owner, mixing: [accounts, journal, feed])
nonisolated let dispatcher = FluxDispatcher()
nonisolated func upload() async throws {}
