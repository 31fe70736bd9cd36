import BenchmarkSink
import BenchmarkStates
import FlaskCore
import HandWritten
import OtherStores

/// W4: one number of the wide state changes, the one observer of another key does not fire.
extension Workloads {
  static func wideState() -> [Case] {
    [
      Case("W4", "hand", fires: 0) { sink in
        let store = HandStore120 { sink.hear($0, $1) }
        return { for _ in 0..<$0 { store.mutate { $0.i50 &+= 1 } } }
      },
      Case("W4", "hand-diff", fires: 0) { sink in
        let store = HandDiffStore120 { sink.hear(0, $0) }
        return { for _ in 0..<$0 { store.mutate { $0.i50 &+= 1 } } }
      },
      Case("W4", "observer", fires: 0) { sink in
        let substance = Flask.newSubstance(definedBy: State120.self)
        let owner = Mixing()
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        let token = substance.observe(\.i0) { sink.hear($0, $1) }
        return { count in
          withExtendedLifetime((owner, token)) {
            for _ in 0..<count { reactor.mix(substance) { $0.prop.i50 &+= 1 }.react() }
          }
        }
      },
      Case("W4", "@Observable", fires: 0) { sink in
        let model = ObservableModel120()
        let tracker = Tracker(reading: { _ = model.i0 }, onChange: { sink.hear() })
        return {
          for _ in 0..<$0 {
            model.i50 &+= 1
            tracker.armAgain()
          }
        }
      },
      Case("W4", "by-value store", fires: 0) { sink in
        let store = ValueStore<State120, Int>(State120()) { state, number in
          var next = state
          next.i50 &+= number
          return next
        }
        store.subscribe(to: \.i0) { sink.hear($0, $1) }
        return { for _ in 0..<$0 { store.dispatch(1) } }
      },
    ]
  }
}
