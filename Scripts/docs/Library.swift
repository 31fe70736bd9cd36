struct Library: Sendable {
  func find(_ text: String) async throws -> [String] { [text] }
}
nonisolated let library = Library()
