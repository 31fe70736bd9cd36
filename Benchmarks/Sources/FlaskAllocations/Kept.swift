import BenchmarkStates
import FlaskCore

/// The things whose memory is measured, by name. The first one is the state alone.
func kept() -> [(String, () -> AnyObject)] {
  [
    ("the state alone", { StateHolder() }),
    ("a substance", { Flask.newSubstance(definedBy: State10.self) }),
    ("an observer", observer()),
    ("a reactor with its owner", reactorWithOwner()),
  ]
}

private final class StateHolder {
  let state = State10()
}

/// The owner keeps nothing itself.
private final class Owner: FlaskReactor {
  func flaskReactions(reaction: FlaskReaction) {}
}

private func observer() -> () -> AnyObject {
  let substance = Flask.newSubstance(definedBy: State10.self)
  return { substance.observe(\.counter) { _, _ in } }
}

private func reactorWithOwner() -> () -> AnyObject {
  let substance = Flask.newSubstance(definedBy: State10.self)
  return {
    let owner = Owner()
    Flask.attachReactor(to: owner, mixing: substance)
    return owner
  }
}
