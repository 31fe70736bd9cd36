nonisolated let profile = app.scope(\.profile)
