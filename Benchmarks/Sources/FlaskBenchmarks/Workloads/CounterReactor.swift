import BenchmarkSink
import BenchmarkStates
import FlaskCore

/// A reactor as the documentation has it: asks each reaction for one string key of an enum.
final class CounterReactor: FlaskReactor {
  let sink: Sink

  init(_ sink: Sink) { self.sink = sink }

  func flaskReactions(reaction: FlaskReaction) {
    reaction.on(State10.prop.counter) { [sink] change in
      sink.hear(change.oldValue() ?? 0, change.newValue() ?? 0)
    }
  }
}

/// A reactor that asks each reaction for one key path.
final class KeyPathReactor: FlaskReactor {
  let sink: Sink

  init(_ sink: Sink) { self.sink = sink }

  func flaskReactions(reaction: FlaskReaction) {
    reaction.on(\State10.counter) { [sink] change in sink.hear(change.old, change.new) }
  }
}

/// Owns a reactor that only starts chains.
final class Mixing {}
