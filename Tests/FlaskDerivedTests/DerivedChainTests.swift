@testable import FlaskPrimitives
import Foundation
import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures
import TestSupport

/// What values cost that are derived from others, or from a substance that many others are derived from: counted, or
/// found out by holding what must not be asked.
@Suite(.ownFlux) struct DerivedChainTests {
  let input = Substance(Tally())
  let runs = Recorder<Int>()
  let heard = Recorder<String>()

  /// Values of which each is derived from the one before it.
  private func chain(_ count: Int) -> [Derived<Int>] {
    var chain = [
      Derived { [input, runs] in
        runs.append(0)
        return input.counter
      }
    ]
    for number in 1..<count {
      let below = chain[number - 1]
      chain.append(
        Derived { [runs] in
          runs.append(number)
          return below.value + 1
        }
      )
    }
    return chain
  }

  /// Whether a call on another thread ends while this one holds the locks of some nodes.
  private func ends(whileHolding nodes: [AnyDerivedNode], _ body: @escaping @Sendable () -> Void) -> Bool {
    guard let first = nodes.first else {
      let end = DispatchSemaphore(value: 0)
      Thread {
        body()
        end.signal()
      }
      .start()
      return end.wait(timeout: .now() + 20) == .success
    }
    return first.state.withLock { _ in ends(whileHolding: Array(nodes.dropFirst()), body) }
  }

  @Test func `each of a chain is computed once in an operation, also if each is observed`() {
    let chain = chain(100)
    let tokens = chain.map { value in value.observe { [heard] in heard.append("\($0) → \($1)") } }
    _ = runs.take()
    for number in 1...3 {
      input.mix { $0.counter = number }
      #expect(runs.take() == Array(0..<100))
      #expect(heard.take() == (0..<100).map { "\($0 + number - 1) → \($0 + number)" })
    }
    withExtendedLifetime(tokens) {}
  }

  @Test func `reading the end of a chain in which nothing has changed looks at no other value`() {
    let chain = chain(100)
    let end = chain[99]
    let inner = chain.dropLast().map { $0.node as AnyDerivedNode }
    #expect(end.value == 99)
    _ = runs.take()
    #expect(ends(whileHolding: inner) { _ = end.value })
    // Nor does it if a key has changed that none of them reads.
    input.mix { $0.text = "not read" }
    #expect(ends(whileHolding: inner) { _ = end.value })
    #expect(end.value == 99)
    #expect(runs.all == [])
    input.mix { $0.counter = 1 }
    #expect(end.value == 100)
    #expect(runs.all == Array(0..<100))
  }

  @Test(arguments: [false, true])
  func `of values that are reached on many ways each is computed once`(isObserved: Bool) {
    // 2 to the power of 60 ways lead from the last one to the first.
    var last = [Derived { [input] in input.counter }, Derived { [input] in input.counter }]
    for _ in 0..<60 {
      let below = last
      last = (0..<2).map { number in
        Derived { [runs] in
          runs.append(number)
          return (below[0].value + below[1].value) / 2
        }
      }
    }
    let end = last[0]
    let token = isObserved ? end.observe { [heard] in heard.append("\($0) → \($1)") } : nil
    #expect(end.value == 0)
    _ = runs.take()
    input.mix { $0.counter = 1 }
    #expect(end.value == 1)
    #expect(runs.count == 119)
    input.mix { $0.text = "not read" }
    #expect(end.value == 1)
    #expect(runs.count == 119)
    // Nor does a moment that has passed take longer.
    let seen = ConsistentRead.perform { moment in
      #expect(moment.version(of: input.cell) == 2)
      input.mix { $0.counter = 2 }
      #expect(end.node.number == 1)
      return end.value
    }
    #expect(seen == 1)
    #expect(end.value == 2)
    #expect(heard.all == (isObserved ? ["0 → 1", "1 → 2"] : []))
    withExtendedLifetime((last, token)) {}
  }

  @Test func `a mix asks none of the values that do not read what it changes`() {
    let count = Workload.count(2_000, full: 10_000)
    let values = (0..<count).map { number in
      Derived { [input, runs] in
        runs.append(number)
        return input.counter + number
      }
    }
    let tokens = values.map { value in value.observe { [heard] in heard.append("\($1)") } }
    _ = runs.take()
    let some = [values[0], values[count / 2], values[count - 1]].map { $0.node as AnyDerivedNode }
    let asksNone = ends(whileHolding: some) { [input] in _ = input.mix { $0.text = "not read" } }
    #expect(asksNone)
    #expect(runs.all == [])
    input.mix { $0.counter = 1 }
    #expect(runs.all == Array(0..<count))
    #expect(heard.count == count)
    withExtendedLifetime((values, tokens)) {}
  }

  @Test func `values that no one observes cost an operation nothing, and are known to be good nevertheless`()
  {
    let chain = chain(3)
    #expect(chain[2].value == 2)
    _ = runs.take()
    let nodes = chain.map { $0.node as AnyDerivedNode }
    let asksNone = ends(whileHolding: nodes) { [input] in _ = input.mix { $0.counter = 1 } }
    #expect(asksNone)
    #expect(runs.all == [])
    #expect(chain[2].value == 3)
    #expect(runs.all == [0, 1, 2])
  }

  @Test func `one of a chain that comes to depend on another substance has those above it follow`() {
    let (isSecond, second) = (Substance(false), Substance(10))
    let first = Derived { [input] in isSecond.state ? second.state : input.counter }
    let above = Derived { first.value }
    let top = Derived { above.value * 2 }
    let token = top.observe { [heard] in heard.append("\($0) → \($1)") }
    second.mix { $0 = 0 }
    // The same value, from another substance.
    isSecond.mix { $0 = true }
    second.mix { $0 = 3 }
    input.mix { $0.counter = 7 }
    isSecond.mix { $0 = false }
    second.mix { $0 = 4 }
    input.mix { $0.counter = 8 }
    #expect(heard.all == ["0 → 6", "6 → 14", "14 → 16"])
    withExtendedLifetime(token) {}
  }

  @Test func `they are known as the ones that read them, whichever one begins and ends in which order`() {
    let values = (0..<200).map { number in Derived { [input] in input.counter + number } }
    var tokens: [Int: SubstanceObservation] = [:]
    var random = SeededGenerator(seed: 7)
    for round in 1...300 {
      let number = Int.random(in: 0..<200, using: &random)
      if tokens.removeValue(forKey: number)?.cancel() == nil {
        tokens[number] = values[number].observe { [runs] _, _ in runs.append(number) }
      }
      input.mix { $0.counter = round }
      #expect(runs.take() == tokens.keys.sorted())
    }
  }

  @Test func `a chain of 20,000 is read from its end, observed, changed and released on a small stack`() async
  {
    let (input, heard, gone) = (input, heard, runs)
    await OtherThread.run {
      Flux.$current.withValue(input.flux) {
        let last = LastWords { gone.append(0) }
        var end = Derived { withExtendedLifetime(last) { input.counter } }
        for _ in 1..<20_000 {
          let below = end
          end = Derived { below.value + 1 }
        }
        #expect(end.value == 19_999)
        let token = end.observe(isolation: nil) { heard.append("\($0) → \($1)") }
        for number in 1...3 { input.mix(isolation: nil) { $0.counter = number } }
        #expect(end.value == 20_002)
        token.cancel()
        input.mix(isolation: nil) { $0.counter = 4 }
        #expect(end.value == 20_003)
      }
    }
    #expect(heard.all == ["19999 → 20000", "20000 → 20001", "20001 → 20002"])
    #expect(gone.count == 1)
  }

  @Test func `a chain in which each reads a substance, too, is changed on a small stack`() async {
    let (input, heard) = (input, heard)
    await OtherThread.run {
      Flux.$current.withValue(input.flux) {
        var end = Derived { input.counter }
        for _ in 1..<2_000 {
          let below = end
          end = Derived { below.value + (input.text.isEmpty ? 1 : 0) }
        }
        let token = end.observe(isolation: nil) { heard.append("\($0) → \($1)") }
        for number in 1...3 { input.mix(isolation: nil) { $0.counter = number } }
        input.mix(isolation: nil) { $0.text = "a" }
        withExtendedLifetime(token) {}
      }
    }
    #expect(heard.all == ["1999 → 2000", "2000 → 2001", "2001 → 2002", "2002 → 3"])
  }

  @Test func `a substance that nothing is derived from any more has no notice to give`() {
    do {
      let chain = chain(3)
      #expect(chain[2].value == 2)
      #expect(input.cell.notices & Cell.Notice.attached != 0)
      withExtendedLifetime(chain) {}
    }
    #expect(input.cell.notices & Cell.Notice.attached == 0)
  }
}

extension AnyDerivedNode {
  /// A look at a value of an `Int`, inside a moment.
  fileprivate var number: Int {
    let record = record()
    return withExtendedLifetime(record) { record.box.address.assumingMemoryBound(to: Int.self).pointee }
  }
}
