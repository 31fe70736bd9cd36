import BenchmarkStates
import FlaskActions
import FlaskCore

/// W9: `counter` changes, by an action that passes five workers of which one reduces it; nobody observes. The bound is
/// a plain mix.
extension Workloads {
  static func fiveWorkers() -> [Case] {
    [
      Case("W9", "mix", fires: 0) { _ in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owner = Mixing()
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        return { count in
          withExtendedLifetime(owner) {
            for _ in 0..<count { reactor.mix(substance) { $0.prop.counter &+= 1 }.react() }
          }
        }
      },
      Case("W9", "action", fires: 0) { _ in
        let dispatcher = FluxDispatcher()
        dispatcher.register(workers: [
          IdleMiddleware(), IdleStore(), CountingStore(), IdleMiddleware(), IdleStore(),
        ])
        return { for _ in 0..<$0 { dispatcher.dispatch(Increment()) } }
      },
    ]
  }
}
