struct AppState: FlaskState {
  struct Info: Codable, Sendable {
    struct Nest: Codable, Sendable { var foo = "bar" }
    var nest = Nest()
  }
  var counter = 0
  var info = Info()
}
nonisolated let old = AppState()
nonisolated let new: AppState = {
  var state = AppState()
  state.info.nest.foo = "mutated"
  return state
}()
