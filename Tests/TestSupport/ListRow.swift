/// An element of the lists of tests.
package struct ListRow: Identifiable, Equatable, Hashable, Codable, Sendable {
  package var id: Int
  package var title = ""

  package init(id: Int, title: String = "") {
    self.id = id
    self.title = title
  }
}
