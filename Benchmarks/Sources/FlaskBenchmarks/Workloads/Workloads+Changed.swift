import BenchmarkSink
import BenchmarkStates
import FlaskArchive
import FlaskCore
import HandWritten
import OtherStores

/// W1: `counter` changes, one observer of `counter` fires.
extension Workloads {
  static func changedAndObserved() -> [Case] {
    [
      Case("W1", "hand", fires: 1) { sink in
        let store = HandStore10 { sink.hear($0, $1) }
        return { for _ in 0..<$0 { store.mutate { $0.counter &+= 1 } } }
      },
      Case("W1", "hand-diff", fires: 1) { sink in
        let store = HandDiffStore10 { sink.hear($0, $1) }
        return { for _ in 0..<$0 { store.mutate { $0.counter &+= 1 } } }
      },
      Case("W1", "observer", fires: 1) { sink in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owner = Mixing()
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        let token = substance.observe(\.counter) { sink.hear($0, $1) }
        return { count in
          withExtendedLifetime((owner, token)) {
            for _ in 0..<count { reactor.mix(substance) { $0.prop.counter &+= 1 }.react() }
          }
        }
      },
      Case("W1", "reactor", fires: 1) { sink in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owner = CounterReactor(sink)
        let reactor = Flask.attachReactor(to: owner, mixing: substance)
        return { count in
          withExtendedLifetime(owner) {
            for _ in 0..<count { reactor.mix(substance) { $0.prop.counter &+= 1 }.react() }
          }
        }
      },
      Case("W1", "observer, archived", fires: 1) { sink in
        let substance = Substance<State10>(name: "W1", archive: true, in: MemoryArchive())
        let owner = Mixing()
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        let token = substance.observe(\.counter) { sink.hear($0, $1) }
        return { count in
          withExtendedLifetime((owner, token)) {
            for _ in 0..<count { reactor.mix(substance) { $0.prop.counter &+= 1 }.react() }
          }
        }
      },
      Case("W1", "@Observable", fires: 1) { sink in
        let model = ObservableModel10()
        let tracker = Tracker(reading: { _ = model.counter }, onChange: { sink.hear() })
        return {
          for _ in 0..<$0 {
            model.counter &+= 1
            tracker.armAgain()
          }
        }
      },
      Case("W1", "by-value store", fires: 1) { sink in
        let store = ValueStore10.make(sink)
        return { for _ in 0..<$0 { store.dispatch(.increment) } }
      },
    ]
  }
}
