struct Row: Codable, Sendable, Identifiable, Equatable { var id = 0; var title = "" }
