import BenchmarkSink
import BenchmarkStates
import FlaskCore
import HandWritten
import OtherStores

/// W3: `counter` changes, ten observers on each of ten keys, only the ten on `counter` fire.
extension Workloads {
  static func manyObservers() -> [Case] {
    [
      Case("W3", "hand", fires: 10) { sink in
        let store = HandStoreOfTenKeys()
        for _ in 0..<10 {
          store.onCounter.append { sink.hear($0, $1) }
          store.onText.append { _, _ in sink.hear() }
          store.onA.append { _, _ in sink.hear() }
          store.onB.append { _, _ in sink.hear() }
          store.onC.append { _, _ in sink.hear() }
          store.onD.append { _, _ in sink.hear() }
          store.onE.append { _, _ in sink.hear() }
          store.onF.append { _, _ in sink.hear() }
          store.onG.append { _, _ in sink.hear() }
          store.onH.append { _, _ in sink.hear() }
        }
        return { for _ in 0..<$0 { store.mutate { $0.counter &+= 1 } } }
      },
      Case("W3", "observer", fires: 10) { sink in
        let substance = Flask.newSubstance(definedBy: State10.self)
        let owner = Mixing()
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        let tokens = (0..<10).flatMap { _ in
          [
            substance.observe(\.counter) { sink.hear($0, $1) },
            substance.observe(\.text) { _, _ in sink.hear() },
            substance.observe(\.a) { _, _ in sink.hear() },
            substance.observe(\.b) { _, _ in sink.hear() },
            substance.observe(\.c) { _, _ in sink.hear() },
            substance.observe(\.d) { _, _ in sink.hear() },
            substance.observe(\.e) { _, _ in sink.hear() },
            substance.observe(\.f) { _, _ in sink.hear() },
            substance.observe(\.g) { _, _ in sink.hear() },
            substance.observe(\.h) { _, _ in sink.hear() },
          ]
        }
        return { count in
          withExtendedLifetime((owner, tokens)) {
            for _ in 0..<count { reactor.mix(substance) { $0.prop.counter &+= 1 }.react() }
          }
        }
      },
      Case("W3", "@Observable", fires: 10) { sink in
        let model = ObservableModel10()
        let reads: [() -> Void] = [
          { _ = model.counter }, { _ = model.text }, { _ = model.a }, { _ = model.b }, { _ = model.c },
          { _ = model.d }, { _ = model.e }, { _ = model.f }, { _ = model.g }, { _ = model.h },
        ]
        let trackers = reads.map { read in
          (0..<10).map { _ in Tracker(reading: read, onChange: { sink.hear() }) }
        }
        return { count in
          withExtendedLifetime(trackers) {
            for _ in 0..<count {
              model.counter &+= 1
              for tracker in trackers[0] { tracker.armAgain() }
            }
          }
        }
      },
      Case("W3", "by-value store", fires: 10) { sink in
        let store = ValueStore(State10(), reduce: ValueStore10.reduce)
        for _ in 0..<10 {
          store.subscribe(to: \.counter) { sink.hear($0, $1) }
          store.subscribe(to: \.text) { _, _ in sink.hear() }
          store.subscribe(to: \.a) { _, _ in sink.hear() }
          store.subscribe(to: \.b) { _, _ in sink.hear() }
          store.subscribe(to: \.c) { _, _ in sink.hear() }
          store.subscribe(to: \.d) { _, _ in sink.hear() }
          store.subscribe(to: \.e) { _, _ in sink.hear() }
          store.subscribe(to: \.f) { _, _ in sink.hear() }
          store.subscribe(to: \.g) { _, _ in sink.hear() }
          store.subscribe(to: \.h) { _, _ in sink.hear() }
        }
        return { for _ in 0..<$0 { store.dispatch(.increment) } }
      },
    ]
  }
}
