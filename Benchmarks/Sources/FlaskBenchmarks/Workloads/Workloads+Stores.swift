import BenchmarkSink
import BenchmarkStates
import FlaskActions
import FlaskCore
import HandWritten

/// W24: `counter` of a store changes by an action, the one observer of `counter` fires.
extension Workloads {
  static func oneStore() -> [Case] {
    [
      Case("W24", "hand", fires: 1) { sink in
        let store = HandStore10 { sink.hear($0, $1) }
        return { for _ in 0..<$0 { store.mutate { $0.counter &+= 1 } } }
      },
      Case("W24", "store", fires: 1) { sink in
        let store = CountingStore()
        let token = store.observe(\.counter) { sink.hear($0, $1) }
        let dispatcher = FluxDispatcher()
        dispatcher.register(workers: [store])
        return { count in
          withExtendedLifetime(token) {
            for _ in 0..<count { dispatcher.dispatch(Increment()) }
          }
        }
      },
    ]
  }
}
