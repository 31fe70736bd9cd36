import BenchmarkSink
import BenchmarkStates
import FlaskCore

/// W3 with reactors: ten of them ask for each of the ten keys, only the ten that ask for `counter` hear of it.
extension Workloads {
  static func manyReactors() -> [Case] {
    [
      Case("W3", "reactors by key path", fires: 10) { sink in
        mixing { substance in
          [
            listener(to: substance) { $0.on(\State10.counter) { sink.hear($0.old, $0.new) } },
            listener(to: substance) { $0.on(\State10.text) { _ in sink.hear() } },
            listener(to: substance) { $0.on(\State10.a) { _ in sink.hear() } },
            listener(to: substance) { $0.on(\State10.b) { _ in sink.hear() } },
            listener(to: substance) { $0.on(\State10.c) { _ in sink.hear() } },
            listener(to: substance) { $0.on(\State10.d) { _ in sink.hear() } },
            listener(to: substance) { $0.on(\State10.e) { _ in sink.hear() } },
            listener(to: substance) { $0.on(\State10.f) { _ in sink.hear() } },
            listener(to: substance) { $0.on(\State10.g) { _ in sink.hear() } },
            listener(to: substance) { $0.on(\State10.h) { _ in sink.hear() } },
          ]
        }
      },
      Case("W3", "reactors by name", fires: 10) { sink in
        mixing { substance in
          [
            listener(to: substance) {
              $0.on(State10.prop.counter) { sink.hear($0.oldValue() ?? 0, $0.newValue() ?? 0) }
            },
            listener(to: substance) { $0.on(State10.prop.text) { _ in sink.hear() } },
            listener(to: substance) { $0.on(State10.prop.a) { _ in sink.hear() } },
            listener(to: substance) { $0.on(State10.prop.b) { _ in sink.hear() } },
            listener(to: substance) { $0.on(State10.prop.c) { _ in sink.hear() } },
            listener(to: substance) { $0.on(State10.prop.d) { _ in sink.hear() } },
            listener(to: substance) { $0.on(State10.prop.e) { _ in sink.hear() } },
            listener(to: substance) { $0.on(State10.prop.f) { _ in sink.hear() } },
            listener(to: substance) { $0.on(State10.prop.g) { _ in sink.hear() } },
            listener(to: substance) { $0.on(State10.prop.h) { _ in sink.hear() } },
          ]
        }
      },
    ]
  }

  /// Mixes a substance that has ten times the listeners that `make` makes.
  private static func mixing(_ make: (Substance<State10>) -> [Mixing]) -> (Int) -> Void {
    let substance = Flask.newSubstance(definedBy: State10.self)
    let owner = Mixing()
    let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
    let listeners = (0..<10).map { _ in make(substance) }
    return { count in
      withExtendedLifetime((owner, listeners)) {
        for _ in 0..<count { reactor.mix(substance) { $0.prop.counter &+= 1 }.react() }
      }
    }
  }

  /// The owner of a reactor with this handler.
  private static func listener(
    to substance: Substance<State10>,
    _ handler: @escaping @Sendable (FlaskReaction) -> Void
  ) -> Mixing {
    let owner = Mixing()
    Flask.reactor(attachedTo: owner, mixing: [substance]) { _, reaction in handler(reaction) }
    return owner
  }
}
