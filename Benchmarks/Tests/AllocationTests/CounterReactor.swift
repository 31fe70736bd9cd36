import BenchmarkStates
import FlaskCore

/// Asks each reaction for the counter, by a case of the string enum.
final class CounterReactor: FlaskReactor {
  var last = 0

  func flaskReactions(reaction: FlaskReaction) {
    reaction.on(State10.prop.counter) { change in
      let counter: Int? = change.newValue()
      last = counter ?? -1
    }
  }
}
