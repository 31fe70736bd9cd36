import BenchmarkSink
import BenchmarkStates
import FlaskCore
import HandWritten
import OtherStores

/// W6: one chain over two substances, the observer of each fires.
extension Workloads {
  static func twoSubstances() -> [Case] {
    [
      Case("W6", "hand", fires: 2) { sink in
        let first = HandStore10 { sink.hear($0, $1) }
        let second = HandStore10 { sink.hear($0, $1) }
        return {
          for _ in 0..<$0 {
            first.mutate { $0.counter &+= 1 }
            second.mutate { $0.counter &+= 1 }
          }
        }
      },
      Case("W6", "observer", fires: 2) { sink in
        let first = Flask.newSubstance(definedBy: State10.self)
        let second = Flask.newSubstance(definedBy: State10.self)
        let owner = Mixing()
        let reactor = Flask.reactor(attachedTo: owner, mixing: [first, second])
        let tokens = [first, second].map { $0.observe(\.counter) { sink.hear($0, $1) } }
        return { count in
          withExtendedLifetime((owner, tokens)) {
            for _ in 0..<count {
              reactor
                .mix(first) { $0.prop.counter &+= 1 }
                .with(second) { $0.prop.counter &+= 1 }
                .andReact()
            }
          }
        }
      },
      Case("W6", "@Observable", fires: 2) { sink in
        let first = ObservableModel10()
        let second = ObservableModel10()
        let trackers = [
          Tracker(reading: { _ = first.counter }, onChange: { sink.hear() }),
          Tracker(reading: { _ = second.counter }, onChange: { sink.hear() }),
        ]
        return {
          for _ in 0..<$0 {
            first.counter &+= 1
            second.counter &+= 1
            for tracker in trackers { tracker.armAgain() }
          }
        }
      },
      Case("W6", "by-value store", fires: 2) { sink in
        let first = ValueStore10.make(sink)
        let second = ValueStore10.make(sink)
        return {
          for _ in 0..<$0 {
            first.dispatch(.increment)
            second.dispatch(.increment)
          }
        }
      },
    ]
  }
}
