final class Keeper: @unchecked Sendable { var state = AppState() }
nonisolated let store = Keeper()
