import BenchmarkSink
import BenchmarkStates
import FlaskCore
import HandWritten
import OtherStores

/// W8: `counter` is set to the value it has, nothing fires.
extension Workloads {
  static func nothingChanged() -> [Case] {
    [
      Case("W8", "hand", fires: 0) { sink in
        let store = HandStore10 { sink.hear($0, $1) }
        return { for _ in 0..<$0 { store.mutate { $0.counter = 0 } } }
      },
      Case("W8", "hand-diff", fires: 0) { sink in
        let store = HandDiffStore10 { sink.hear($0, $1) }
        return { for _ in 0..<$0 { store.mutate { $0.counter = 0 } } }
      },
      Case("W8", "observer", fires: 0) { sink in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owner = Mixing()
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        let token = substance.observe(\.counter) { sink.hear($0, $1) }
        return { count in
          withExtendedLifetime((owner, token)) {
            for _ in 0..<count { reactor.mix(substance) { $0.prop.counter = 0 }.react() }
          }
        }
      },
      Case("W8", "reactor", fires: 0) { sink in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owner = CounterReactor(sink)
        let reactor = Flask.attachReactor(to: owner, mixing: substance)
        return { count in
          withExtendedLifetime(owner) {
            for _ in 0..<count { reactor.mix(substance) { $0.prop.counter = 0 }.react() }
          }
        }
      },
      Case("W8", "@Observable", fires: 0) { sink in
        let model = ObservableModel10()
        let tracker = Tracker(reading: { _ = model.counter }, onChange: { sink.hear() })
        return {
          for _ in 0..<$0 {
            model.counter = 0
            tracker.armAgain()
          }
        }
      },
      Case("W8", "by-value store", fires: 0) { sink in
        let store = ValueStore10.make(sink)
        return { for _ in 0..<$0 { store.dispatch(.counter(0)) } }
      },
    ]
  }
}
