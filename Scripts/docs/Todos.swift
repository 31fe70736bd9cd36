struct Item: Codable, Sendable, Identifiable, Equatable {
  var id = 0
  var isDone = false
  func matches(_ filter: Filter) -> Bool { filter == .all || !isDone }
}
enum Filter: String, Codable, Sendable { case all, open }
struct Todos: FlaskState {
  var items: [Item] = []
  var filter = Filter.open
}
nonisolated let todos = Substance(Todos())
nonisolated func show(_ items: [Item]) {}
