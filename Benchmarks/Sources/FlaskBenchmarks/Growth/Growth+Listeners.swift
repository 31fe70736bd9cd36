import BenchmarkSink
import BenchmarkStates
import FlaskCore

/// Growth with the number of those who listen.
extension Growth {
  static func reactors() -> [Growing] {
    [
      Growing("reactors that ask for another key", [1, 10, 100, 1000]) { size, sink in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owners = (0..<size).map { _ in Mixing() }
        let reactors = owners.enumerated().map { index, owner in
          Flask.reactor(attachedTo: owner, mixing: [substance]) { _, reaction in
            if index == 0 {
              reaction.on(State10.prop.counter) { sink.hear($0.oldValue() ?? 0, $0.newValue() ?? 0) }
            } else {
              reaction.on(State10.prop.text) { _ in sink.hear() }
            }
          }
        }
        return changeCounter(substance, reactors[0], keeping: owners)
      },
      Growing("reactors of other substances", [1, 10, 100, 1000]) { size, sink in
        let substances = (0..<size).map { _ in Flask.newSubstance(definedBy: State10.self) }
        let owners = substances.map { _ in CounterReactor(sink) }
        let reactors = zip(owners, substances).map { Flask.attachReactor(to: $0, mixing: $1) }
        return changeCounter(substances[0], reactors[0], keeping: owners)
      },
    ]
  }

  static func observers() -> [Growing] {
    [
      Growing("observers of other keys", [1, 10, 100, 1000, 10_000]) { size, sink in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owner = Mixing()
        let others = [State10.prop.a, .b, .c, .d, .e, .f, .g, .h, .text]
        let tokens = (0..<size).map { index in
          index == 0
            ? substance.observe(\.counter) { sink.hear($0, $1) }
            : substance.observe(others[index % others.count]) { _ in sink.hear() }
        }
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        return changeCounter(substance, reactor, keeping: (owner, tokens))
      },
      Growing("observers of computed properties", [1, 10, 100, 1000]) { size, sink in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owner = Mixing()
        let tokens = (0..<size).map { index in
          index == 0
            ? substance.observe(\.counter) { sink.hear($0, $1) }
            : substance.observe(\.text.count) { _, _ in sink.hear() }
        }
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        return changeCounter(substance, reactor, keeping: (owner, tokens))
      },
      Growing("observers of other entries of a small dictionary", [1, 10, 100, 1000]) { size, sink in
        let substance = Flask.newSubstance(definedBy: SmallDictionaryState.self)
        let owner = Mixing()
        let tokens = (0..<size).map { index in
          substance.observe(key: "entries.key\(index % 100)x\(index)") { _ in sink.hear() }
        }
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        return { count in
          withExtendedLifetime((owner, tokens)) {
            for _ in 0..<count / 2 {
              reactor.mix(substance) { $0.prop.entries["key0x0"] = 1 }.react()
              reactor.mix(substance) { $0.prop.entries["key0x0"] = 2 }.react()
            }
          }
        }
      },
    ]
  }

  private static func changeCounter(
    _ substance: Substance<State10>,
    _ reactor: AnyReactor,
    keeping kept: Any
  ) -> (Int) -> Void {
    { count in
      withExtendedLifetime(kept) {
        for _ in 0..<count { reactor.mix(substance) { $0.prop.counter &+= 1 }.react() }
      }
    }
  }
}
