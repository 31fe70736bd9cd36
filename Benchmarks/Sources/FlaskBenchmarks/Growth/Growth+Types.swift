import BenchmarkSink
import FlaskCore

/// Growth with the size of the type of a state.
extension Growth {
  static func keys() -> [Growing] {
    let name = "mix and observer"
    return [
      Growing(
        name,
        [
          deepest(Ten<Int>.self, name), deepest(Two<Ten<Int>>.self, name), deepest(Five<Ten<Int>>.self, name),
          deepest(Ten<Ten<Int>>.self, name), deepest(Two<Ten<Ten<Int>>>.self, name),
          deepest(Five<Ten<Ten<Int>>>.self, name), deepest(Ten<Ten<Ten<Int>>>.self, name),
          deepest(Two<Ten<Ten<Ten<Int>>>>.self, name),
        ]
      )
    ]
  }

  static func nesting() -> [Growing] {
    let name = "mix and observer"
    func nested<S: FlaskState & Countable>(_ state: S.Type, _ depth: Int) -> (Int, Case) {
      (depth, deepest(state, name).1)
    }
    return [
      Growing(
        name,
        [
          nested(Nest1.self, 1), nested(Nest2.self, 2), nested(Nest4.self, 4), nested(Nest8.self, 8),
          nested(Nest16.self, 16), nested(Nest24.self, 24), nested(Nest32.self, 32),
        ]
      )
    ]
  }

  /// The last and deepest number changes, an observer of it fires. The size is the number of keys.
  private static func deepest<S: FlaskState & Countable>(_ state: S.Type, _ name: String) -> (Int, Case) {
    let keys = Flask.newSubstance(definedBy: state).keys
    let measured = Case(name, "\(keys.count)", fires: 1) { sink in
      let substance = Flask.newSubstance(definedBy: state)
      let owner = Mixing()
      let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
      let token = substance.observe(key: keys.last ?? "") {
        sink.hear($0.oldValue() ?? 0, $0.newValue() ?? 0)
      }
      return { count in
        withExtendedLifetime((owner, token)) {
          for _ in 0..<count { reactor.mix(substance) { $0.prop.number &+= 1 }.react() }
        }
      }
    }
    return (keys.count, measured)
  }
}
