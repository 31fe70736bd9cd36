struct SearchState: Sendable { var text = ""; var hits: [String] = [] }
nonisolated let search = Substance(SearchState())
nonisolated func find(_ text: String) async throws -> [String] { [text] }
