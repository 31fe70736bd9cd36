import BenchmarkSink
import BenchmarkStates
import FlaskCore
import Foundation
import HandWritten
import OtherStores

/// W7: four threads change `counter` of the same substance, the one observer fires for each change: none is lost.
extension Workloads {
  static func fourThreads() -> [Case] {
    [
      Case("W7", "locked", fires: 1, runs: .onSeveralThreads) { sink in
        let store = LockedHandStore10 { sink.hear($0, $1) }
        return { count in
          onFourThreads(count) { for _ in 0..<$0 { store.mutate { $0.counter &+= 1 } } }
        }
      },
      Case("W7", "observer", fires: 1, runs: .onSeveralThreads) { sink in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owner = Mixing()
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        let token = substance.observe(\.counter) { sink.hear($0, $1) }
        return { count in
          withExtendedLifetime((owner, token)) {
            onFourThreads(count) {
              for _ in 0..<$0 { reactor.mix(substance) { $0.prop.counter &+= 1 }.react() }
            }
            let isIdle = DispatchSemaphore(value: 0)
            Flask.performInFluxQueue { isIdle.signal() }
            isIdle.wait()
          }
        }
      },
      Case("W7", "by-value store", fires: 1, runs: .onSeveralThreads) { sink in
        let store = ValueStore10.make(sink)
        return { count in
          onFourThreads(count) { for _ in 0..<$0 { store.dispatch(.increment) } }
        }
      },
    ]
  }

  /// Shares `count` operations among four threads, and returns when they have ended.
  private static func onFourThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<4 {
      let share = count / 4 + (index < count % 4 ? 1 : 0)
      group.enter()
      Thread {
        body(share)
        group.leave()
      }
      .start()
    }
    group.wait()
  }
}
