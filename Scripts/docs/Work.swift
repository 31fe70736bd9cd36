enum WorkEvents: SubstanceMixer { case logout }
enum Screen: Sendable { case home; case post(Post) }
enum Phase: Sendable { case idle, loading }
struct Post: Identifiable, Sendable { let id: Int; var isEditing = false; var comments: [String] = [] }
struct Priced: Identifiable, Sendable { let id: Int; var price = 0 }
struct Form: Sendable { var text = "" }
struct SessionState: Sendable { var detail: Priced?; var phase = Phase.idle }
struct SearchState: Sendable { var form = Form(); var text = ""; var hits: [String] = [] }
struct PlayerState: Sendable { var isPlaying = false }
struct BoardState: Sendable { var rows = Entities<Priced>() }
struct RouteState: Sendable { var screen = Screen.home }
struct Socket: Sendable { func close() {} }
nonisolated let socket = Socket()
nonisolated let session = Substance(SessionState())
nonisolated let search = Substance(SearchState())
nonisolated let player = Substance(PlayerState())
nonisolated let board = Substance(BoardState())
nonisolated let route = Substance(RouteState())
nonisolated func find(_ text: String) async throws -> [String] { [text] }
nonisolated func prices(of id: Int) -> AsyncStream<Int> { AsyncStream { $0.finish() } }
nonisolated func ticks() -> AsyncStream<Int> { AsyncStream { $0.finish() } }
nonisolated func comments(of id: Int) -> AsyncStream<String> { AsyncStream { $0.finish() } }
