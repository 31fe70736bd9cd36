/// A line that could not be read, and why.
struct BadLine: Codable, Sendable, Equatable {
  let number: Int
  let reason: String
}
