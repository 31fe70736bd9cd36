final class Screen: Sendable {}
