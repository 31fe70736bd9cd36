struct Person: Codable, Sendable, Equatable { var name = ""; var age = 0 }
struct Row: Codable, Sendable, Identifiable, Equatable { var id = 0; var title = ""; var isOpen = false }
struct Detail: Codable, Sendable, Equatable { var text = "" }
struct AppState: FlaskState {
  var profile = Person()
  var rows: [Row] = []
  var people: [String: Person] = [:]
  var detail: Detail?
}
nonisolated let app = Substance(AppState())
nonisolated let rowID = 7
struct Rename: FluxAction { let name: String }
struct RowTapped: FluxAction { let row: Int }
struct Aged: FluxAction { let who: String }
final class PartsStore: FluxStore<AppState>, @unchecked Sendable {
  init() {
    super.init(initialState: AppState())
    // The block stands here.
  }
}
