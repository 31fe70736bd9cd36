// Swift 6, no diagnostic
import Flask

struct Row: Codable, Sendable, Identifiable {
  var id = 0
  var title = ""
}
struct AppState: State {
  var row = Row()
  var detail: Row?
  var rows: [Row] = []
  var people: [String: Row] = [:]
}
struct RowTapped: FluxAction {
  let row: Int
  let who: String
}

final class AppStore: FluxStore<AppState>, @unchecked Sendable {
  init() {
    super.init(initialState: AppState())
    registerReducer(for: RowTapped.self, at: \.rows, id: \.row) { row, action in row.title += action.who }
  }
}

final class People: FluxStore<AppState>, @unchecked Sendable {
  init() {
    super.init(initialState: AppState())
    registerReducer(for: RowTapped.self, at: \.people, key: \.who) { row, action in
      row.title = "\(action.row)"
    }
  }
}

final class Details: FluxStore<AppState>, @unchecked Sendable {
  init() {
    super.init(initialState: AppState())
    registerReducer(for: RowTapped.self, at: \.detail) { detail, action in
      detail.title = action.who
      detail.id = action.row
    }
  }
}

final class Loader: FluxMiddleware, @unchecked Sendable {
  override init() {
    super.init()
    registerEffect(for: RowTapped.self, id: { $0.who }, policy: .latest) { action, dispatch in
      dispatch(action)
    }
  }
}

@MainActor final class Screen {
  private var heard = 0
  private var isThere = true

  func hear(_ app: Substance<AppState>) -> [SubstanceObservation] {
    let row: Scope<Row> = app.scope(\.row)
    let whole: Scope<Row?> = app.scope(whole: \.detail)
    guard let detail = app.scope(\.detail), let first = app.scope(\.rows, id: 1) else { return [] }
    let title: Scope<String> = detail.scope(\.title)
    print(title.value, whole.isPresent)
    return [
      row.observe(\.title) { _, new in self.heard = new.count },
      detail.observe { old, new in self.heard = new.id - old.id },
      first.observe(\.title) { _, _ in self.heard += 1 },
      first.observePresence { self.isThere = $0 },
    ]
  }
}
