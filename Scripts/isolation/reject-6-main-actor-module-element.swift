// Swift 6 MainActor, error: main actor-isolated conformance of 'Row' to 'Identifiable' cannot be used in nonisolated context
import Flask

struct Row: Identifiable, Codable, Sendable { var id = 0 }

nonisolated func rows() -> Int { Entities<Row>().count }
