import BenchmarkSink
import BenchmarkStates
import FlaskCore
import HandWritten
import OtherStores

/// W5: one entry of a dictionary of 10,000 changes, the one observer of that entry fires.
extension Workloads {
  static func largeDictionary() -> [Case] {
    [
      Case("W5", "copy", fires: 1) { sink in
        let store = DictionarySnapshotStore(watching: "key5000") { sink.hear($0 ?? 0, $1 ?? 0) }
        return {
          for _ in 0..<$0 / 2 {
            store.mutate { $0.entries["key5000"] = 1 }
            store.mutate { $0.entries["key5000"] = 2 }
          }
        }
      },
      Case("W5", "observer", fires: 1) { sink in
        let substance = Flask.newSubstance(definedBy: DictionaryState.self)
        let owner = Mixing()
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        let token = substance.observe(key: "entries.key5000") {
          sink.hear($0.oldValue() ?? 0, $0.newValue() ?? 0)
        }
        return { count in
          withExtendedLifetime((owner, token)) {
            for _ in 0..<count / 2 {
              reactor.mix(substance) { $0.prop.entries["key5000"] = 1 }.react()
              reactor.mix(substance) { $0.prop.entries["key5000"] = 2 }.react()
            }
          }
        }
      },
      Case("W5", "@Observable", fires: 1) { sink in
        let model = ObservableDictionary()
        let tracker = Tracker(reading: { _ = model.entries.count }, onChange: { sink.hear() })
        return {
          for _ in 0..<$0 / 2 {
            model.entries["key5000"] = 1
            tracker.armAgain()
            model.entries["key5000"] = 2
            tracker.armAgain()
          }
        }
      },
      Case("W5", "by-value store", fires: 1) { sink in
        let store = ValueStore<DictionaryState, Int>(DictionaryState()) { state, number in
          var next = state
          next.entries["key5000"] = number
          return next
        }
        store.subscribe(to: { $0.entries["key5000"] }) { sink.hear($0 ?? 0, $1 ?? 0) }
        return {
          for _ in 0..<$0 / 2 {
            store.dispatch(1)
            store.dispatch(2)
          }
        }
      },
    ]
  }
}
