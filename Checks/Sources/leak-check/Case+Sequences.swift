import Flask
import Observation

extension Case {
  static let sequences: [Case] = [
    Case("tracked keys that change") { count in
      let substance = Substance<Item>()
      for _ in 0..<count {
        let told = Counter()
        withObservationTracking {
          _ = (substance.count, substance.text)
        } onChange: {
          told.add()
        }
        substance.mix { $0.count += 1 }
      }
    },
    Case("tracked keys that change before the closure has ended", weight: 20) { count in
      let substance = Substance<Item>()
      for _ in 0..<count {
        let (stream, told) = AsyncStream<Void>.makeStream()
        withObservationTracking {
          _ = substance.count
          substance.mix { $0.count += 1 }
        } onChange: {
          told.yield()
        }
        for await _ in stream { break }
      }
    },
    Case("observers of values, made and dropped") { count in
      let substance = Substance<Item>()
      for _ in 0..<count {
        let told = Counter()
        let tokens = [
          substance.observe(valuesOf: \.count, isolation: nil) { _ in told.add() },
          substance.observe(valuesOf: \.count, \.text, isolation: nil) { _, _ in told.add() },
        ]
        substance.mix { $0.count += 1 }
        for token in tokens { token.cancel() }
      }
    },
    Case("sequences of values and commits, made, read and dropped", weight: 2) { count in
      let substance = Substance<Item>()
      for _ in 0..<count {
        var values = substance.values(of: \.count, \.text).makeAsyncIterator()
        var changes = substance.changes().makeAsyncIterator()
        substance.mix { $0.count += 1 }
        _ = await values.next()
        substance.mix { $0.count += 1 }
        _ = await changes.next()
      }
    },
    Case("sequences that live longer than their substances", weight: 2) { count in
      for _ in 0..<count {
        var substance: Substance<Item>? = Substance<Item>()
        var values = substance?.values(of: \.count).makeAsyncIterator()
        substance?.mix { $0.count += 1 }
        substance = nil
        while await values?.next() != nil {}
      }
    },
    Case("readers of sequences that are cancelled", weight: 10) { count in
      let substance = Substance<Item>()
      for _ in 0..<count {
        let (values, changes) = (substance.values(of: \.count), substance.changes())
        let readers = [Task { for await _ in values {} }, Task { for await _ in changes {} }]
        substance.mix { $0.count += 1 }
        for reader in readers { reader.cancel() }
        for reader in readers { await reader.value }
      }
    },
  ]
}
