struct Download: FluxAction { let row: Int }
struct Downloaded: FluxAction { let row: Int; let bytes: Int }
struct Row: Identifiable, Sendable { let id: Int; var bytes = 0 }
struct BoardState: Sendable { var rows = Entities<Row>() }
nonisolated let board = Substance(BoardState())
nonisolated let middleware = FluxMiddleware()
nonisolated func fetch(_ row: Int) async throws -> Int { row }
