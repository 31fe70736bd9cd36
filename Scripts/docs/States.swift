struct Counter: FlaskState { var count = 0 }
struct AppState: FlaskState {
  enum prop: StateProp { case counter }
  var counter = 0
}
