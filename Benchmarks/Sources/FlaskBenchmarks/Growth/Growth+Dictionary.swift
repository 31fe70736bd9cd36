import BenchmarkSink
import BenchmarkStates
import FlaskCore
import HandWritten

/// Growth with the size of a value.
extension Growth {
  private static let sizes = [10, 100, 1000, 10_000, 100_000]

  static func dictionary() -> [Growing] {
    [
      Growing("mix and observer of the entry", sizes) { size, sink in
        let (substance, reactor, owner) = filled(size)
        let token = substance.observe(key: "entries.key5") {
          sink.hear($0.oldValue() ?? 0, $0.newValue() ?? 0)
        }
        return change(substance, reactor, keeping: (owner, token))
      },
      Growing("mix, and nobody looks below the dictionary", sizes) { size, sink in
        let (substance, reactor, owner) = filled(size)
        let token = substance.observe(key: "entries") { _ in sink.hear() }
        return change(substance, reactor, keeping: (owner, token))
      },
      Growing("hand-written, with the copy of a snapshot", sizes) { size, sink in
        let store = DictionarySnapshotStore(count: size, watching: "key5") { sink.hear($0 ?? 0, $1 ?? 0) }
        return {
          for _ in 0..<$0 / 2 {
            store.mutate { $0.entries["key5"] = 1 }
            store.mutate { $0.entries["key5"] = 2 }
          }
        }
      },
    ]
  }

  private static func filled(_ size: Int) -> (Substance<DictionaryState>, AnyReactor, Mixing) {
    let substance = Flask.newSubstance(definedBy: DictionaryState.self)
    let owner = Mixing()
    let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
    reactor.mix(substance) { $0.prop.entries = DictionaryState.entries(size) }.react()
    return (substance, reactor, owner)
  }

  private static func change(
    _ substance: Substance<DictionaryState>,
    _ reactor: AnyReactor,
    keeping kept: Any
  ) -> (Int) -> Void {
    { count in
      withExtendedLifetime(kept) {
        for _ in 0..<count / 2 {
          reactor.mix(substance) { $0.prop.entries["key5"] = 1 }.react()
          reactor.mix(substance) { $0.prop.entries["key5"] = 2 }.react()
        }
      }
    }
  }
}
