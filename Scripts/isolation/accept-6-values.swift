// Swift 6, no diagnostic
import Flask
import Observation

struct Counter: Sendable {
  var count = 0
  var name = ""
}

enum Phase: Sendable { case idle, loading(Int), failed(reason: String) }

@MainActor final class Screen {
  private let counter = Substance(Counter())
  private var text = ""
  private var tokens: [SubstanceObservation] = []

  init() {
    tokens = [
      counter.observe(valuesOf: \.count, \.name) { [self] count, name in text = "\(count) \(name)" },
      counter.observe(valuesOf: \.count, \.name, \.count) { [self] _, name, count in text = "\(count) \(name)"
      },
      counter.observe(valuesOf: \.count, \.name, \.count, \.count) { [self] _, name, _, count in
        text = "\(count) \(name)"
      },
      counter.observe(valuesOf: \.count, \.name, \.count, \.count, \.name) {
        @MainActor [self] _, _, _, _, name in
        text = name
      },
      counter.observe(valuesOf: \.count) { [self] count in text = "\(count)" },
    ]
  }

  func follow() async {
    for await count in counter.values(of: \.count) { text = "\(count)" }
    for await (count, name) in counter.values(of: \.count, \.name) { text = "\(count) \(name)" }
    for await change in counter.changes() { text = "\(change.old.count) \(change.new.count) \(change.keys)" }
  }

  func track() {
    withObservationTracking {
      text = counter[\.name]
    } onChange: {
    }
  }
}

func hear(_ phase: Substance<Phase>) -> SubstanceObservation {
  phase.observe(key: "failed.reason") { change in print(change) }
}

func count(_ counter: Substance<Counter>) async -> Int? {
  var iterator = counter.values(of: \.count).makeAsyncIterator()
  return await iterator.next()
}
