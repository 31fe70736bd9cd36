import FlaskDiff

/// The keys that a mutation changes.
func changedKeys<State>(_ state: State, _ mutate: (inout State) -> Void) -> [String] {
  var new = state
  mutate(&new)
  return StateDiff.changes(from: state, to: new).keys
}
