/// An element of the lists of tests.
struct ListRow: Identifiable, Equatable, Hashable, Codable, Sendable {
  var id: Int
  var title = ""
}
