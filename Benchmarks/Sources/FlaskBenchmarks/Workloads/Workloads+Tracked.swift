import BenchmarkSink
import BenchmarkStates
import FlaskCore
import OtherStores

/// W15: `counter` changes, which `withObservationTracking` tracks again each time; nine other keys are tracked and do not
/// change. Beside a model of the standard library: the cheapest one that there can be, alone.
extension Workloads {
  static func tracked() -> [Case] {
    [
      Case("W15", "@Observable", fires: 1) { sink in
        let model = ObservableModel10()
        let tracker = Tracker(reading: { _ = model.counter }, onChange: { sink.hear() })
        let others = trackers([
          { _ = model.text }, { _ = model.a }, { _ = model.b }, { _ = model.c }, { _ = model.d },
          { _ = model.e },
          { _ = model.f }, { _ = model.g }, { _ = model.h },
        ])
        return { count in
          withExtendedLifetime(others) {
            for _ in 0..<count {
              model.counter += 1
              tracker.armAgain()
            }
          }
        }
      },
      Case("W15", "bare", fires: 1) { sink in
        let model = BareModel()
        let tracker = Tracker(reading: { _ = model.value }, onChange: { sink.hear() })
        return { count in
          for _ in 0..<count {
            model.increment()
            tracker.armAgain()
          }
        }
      },
      trackedSubstance("substance", others: true),
      trackedSubstance("substance, no others", others: false),
    ]
  }

  private static func trackedSubstance(_ name: String, others areOthers: Bool) -> Case {
    Case("W15", name, fires: 1) { sink in
      let model = Substance(State10())
      let tracker = Tracker(reading: { _ = model.counter }, onChange: { sink.hear() })
      let others = trackers(
        areOthers
          ? [
            { _ = model.text }, { _ = model.a }, { _ = model.b }, { _ = model.c }, { _ = model.d },
            { _ = model.e },
            { _ = model.f }, { _ = model.g }, { _ = model.h },
          ] : []
      )
      return { count in
        withExtendedLifetime(others) {
          for _ in 0..<count {
            model.mix { $0.counter += 1 }
            tracker.armAgain()
          }
        }
      }
    }
  }

  private static func trackers(_ reads: [() -> Void]) -> [Tracker] {
    reads.map { Tracker(reading: $0, onChange: {}) }
  }
}
