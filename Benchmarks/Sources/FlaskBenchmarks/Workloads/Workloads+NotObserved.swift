import BenchmarkSink
import BenchmarkStates
import FlaskCore
import HandWritten
import OtherStores

/// W2: `text` changes, the one observer of `counter` does not fire.
extension Workloads {
  static func changedAndNotObserved() -> [Case] {
    [
      Case("W2", "hand", fires: 0) { sink in
        let store = HandStore10 { sink.hear($0, $1) }
        return {
          for _ in 0..<$0 / 2 {
            store.mutate { $0.text = "one" }
            store.mutate { $0.text = "two" }
          }
        }
      },
      Case("W2", "hand-diff", fires: 0) { sink in
        let store = HandDiffStore10 { sink.hear($0, $1) }
        return {
          for _ in 0..<$0 / 2 {
            store.mutate { $0.text = "one" }
            store.mutate { $0.text = "two" }
          }
        }
      },
      Case("W2", "observer", fires: 0) { sink in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owner = Mixing()
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        let token = substance.observe(\.counter) { sink.hear($0, $1) }
        return { count in
          withExtendedLifetime((owner, token)) {
            for _ in 0..<count / 2 {
              reactor.mix(substance) { $0.prop.text = "one" }.react()
              reactor.mix(substance) { $0.prop.text = "two" }.react()
            }
          }
        }
      },
      Case("W2", "reactor", fires: 0) { sink in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owner = CounterReactor(sink)
        let reactor = Flask.attachReactor(to: owner, mixing: substance)
        return { count in
          withExtendedLifetime(owner) {
            for _ in 0..<count / 2 {
              reactor.mix(substance) { $0.prop.text = "one" }.react()
              reactor.mix(substance) { $0.prop.text = "two" }.react()
            }
          }
        }
      },
      Case("W2", "@Observable", fires: 0) { sink in
        let model = ObservableModel10()
        let tracker = Tracker(reading: { _ = model.counter }, onChange: { sink.hear() })
        return {
          for _ in 0..<$0 / 2 {
            model.text = "one"
            tracker.armAgain()
            model.text = "two"
            tracker.armAgain()
          }
        }
      },
      Case("W2", "by-value store", fires: 0) { sink in
        let store = ValueStore10.make(sink)
        return {
          for _ in 0..<$0 / 2 {
            store.dispatch(.text("one"))
            store.dispatch(.text("two"))
          }
        }
      },
    ]
  }
}
