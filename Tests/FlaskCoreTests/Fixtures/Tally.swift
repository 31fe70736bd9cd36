import FlaskCore

/// A flat state.
struct Tally: FlaskState {
  enum prop: StateProp { case counter, text, maybe }

  var counter = 0
  var text = ""
  var maybe: Int?
  var _hidden = 0
}
