import BenchmarkSink
import BenchmarkStates
import Dispatch
import FlaskCore
import FlaskInsight
import Foundation

/// W19 to W21: W1 by an observer, and what tools that watch the flux add to it.
extension Workloads {
  /// W19: a trace of the last 10,000 operations.
  static func traced() -> [Case] {
    [
      Case("W19", "mix", fires: 1) { sink in changed(Flux(), sink) { _ in } },
      Case("W19", "trace", fires: 1) { sink in
        let flux = Flux()
        let trace = Trace(of: flux, capacity: 10_000)
        let change = changed(flux, sink) { _ in }
        return { count in withExtendedLifetime(trace) { change(count) } }
      },
    ]
  }

  /// W20: a recording, whose lines go to where nothing is kept.
  static func recorded() -> [Case] {
    [
      Case("W20", "mix", fires: 1, runs: .onCallingThreadBesideOthers) { sink in
        changed(Flux(), sink) { _ in }
      },
      Case("W20", "recorder", fires: 1, runs: .onCallingThreadBesideOthers) { sink in
        let flux = Flux()
        guard let recorder = try? Recorder(to: URL(filePath: "/dev/null"), of: flux) else {
          preconditionFailure("/dev/null can't be written to")
        }
        let change = changed(flux, sink) { _ in }
        return { count in
          // In bursts, with which the thread of the recorder, which counts for nothing, keeps up.
          for start in stride(from: 0, to: count, by: 200) {
            change(min(200, count - start))
            let isWritten = DispatchSemaphore(value: 0)
            Task.detached {
              await recorder.flush()
              isWritten.signal()
            }
            isWritten.wait()
          }
        }
      },
    ]
  }

  /// W21: a history, each operation a step; and a step taken back, or made again.
  static func undone() -> [Case] {
    [
      Case("W21", "mix", fires: 1) { sink in changed(Flux(), sink) { _ in } },
      Case("W21", "history", fires: 1) { sink in
        var history: History?
        let change = changed(Flux(), sink) { history = History(of: $0, coalescing: .never) }
        return { [history] count in withExtendedLifetime(history) { change(count) } }
      },
      Case("W21", "undo", fires: 1) { sink in
        var history: History?
        let change = changed(Flux(), sink) { history = History(of: $0, coalescing: .never) }
        change(900)
        var isGoingBack = true
        return { [history] count in
          guard let history else { return }
          // The observer is that of `change`.
          withExtendedLifetime(change) {
            for _ in 0..<count {
              if isGoingBack { history.undo() } else { history.redo() }
              if isGoingBack ? history.undoCount == 100 : history.undoCount == 900 { isGoingBack.toggle() }
            }
          }
        }
      },
    ]
  }

  /// - Parameter prepare: is handed the substance before anything changes it.
  private static func changed(_ flux: Flux, _ sink: Sink, _ prepare: (Substance<State10>) -> Void)
    -> (Int) -> Void
  {
    let substance = Flux.$current.withValue(flux) { Substance(State10()) }
    prepare(substance)
    let token = substance.observe(\.counter) { sink.hear($0, $1) }
    return { count in
      withExtendedLifetime(token) { for _ in 0..<count { substance.mix { $0.counter &+= 1 } } }
    }
  }
}
