import BenchmarkSink
import BenchmarkStates
import Dispatch
import FlaskCore
import HandWritten

/// W13: `counter` changes by a mix of the substance itself, its one observer fires; and the same mix that changes
/// nothing. W14: a transaction that is awaited while the flux is idle; the bound is the same mix, and an `await` of a
/// method of an actor.
extension Workloads {
  static func direct() -> [Case] {
    [
      Case("W13", "hand", fires: 1) { sink in
        let store = HandStore10 { sink.hear($0, $1) }
        return { for _ in 0..<$0 { store.mutate { $0.counter &+= 1 } } }
      },
      Case("W13", "mix", fires: 1) { sink in
        let substance = Substance(State10())
        let token = substance.observe(\.counter) { sink.hear($0, $1) }
        return { count in
          withExtendedLifetime(token) {
            for _ in 0..<count { substance.mix { $0.counter &+= 1 } }
          }
        }
      },
      Case("W13", "mix, nothing changed", fires: 0) { sink in
        let substance = Substance(State10())
        let token = substance.observe(\.counter) { sink.hear($0, $1) }
        return { count in
          withExtendedLifetime(token) {
            for _ in 0..<count { substance.mix { $0.counter = 0 } }
          }
        }
      },
    ]
  }

  static func awaited() -> [Case] {
    [
      Case("W14", "mix and await", fires: 0, runs: .onOtherThread) { _ in
        let substance = Substance(State10())
        let other = Other()
        return { count in
          wait {
            for _ in 0..<count {
              substance.mix { $0.counter &+= 1 }
              await other.answer()
            }
          }
        }
      },
      Case("W14", "transaction", fires: 0, runs: .onOtherThread) { _ in
        let substance = Substance(State10())
        return { count in
          wait {
            for _ in 0..<count { try? await substance.transaction { $0.counter &+= 1 } }
          }
        }
      },
    ]
  }

  /// Waits for asynchronous work: the cases are measured as functions.
  private static func wait(_ body: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
      await body()
      done.signal()
    }
    done.wait()
  }
}

private actor Other {
  private var answers = 0

  func answer() { answers &+= 1 }
}
