import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Substances are mixed without a reactor.
@Suite(.ownFlux) struct DirectMixTests {
  struct Counter: FlaskState, Equatable {
    var count = 0
    var step = 1
    var name = "counter"
  }

  enum Phase: Sendable, Equatable {
    case idle
    case loading(Int)
    case failed(reason: String, retries: [Int])
  }

  @Test func `a mix changes the state before it returns`() async {
    let counter = Substance(Counter(count: 5))
    let receipt = counter.mix { $0.count += $0.step }
    #expect(counter.state == Counter(count: 6))
    #expect("\(await receipt.outcome)" == "committed(count)")
  }

  @Test func `observers are notified of the keys that a mix changed`() {
    let counter = Substance(Counter())
    let heard = Recorder<String>()
    let tokens = [
      counter.observe(\.count) { heard.append("count \($0) → \($1)") },
      counter.observe(\.name) { heard.append("name \($0) → \($1)") },
    ]
    counter.mix {
      $0.count = 2
      $0.step = 3
    }
    counter.mix { $0.name = "c" }
    #expect(heard.all == ["count 0 → 2", "name counter → c"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `what a mix throws discards it`() async {
    let counter = Substance(Counter())
    let receipt = counter.mix {
      $0.count = 100
      throw Oops()
    }
    #expect(counter.state == Counter())
    #expect("\(await receipt.outcome)" == "failed(Oops())")
    counter.mix { $0.step = 2 }
    #expect(counter.state == Counter(step: 2))
  }

  @Test func `inside a mix another mix waits for its end`() {
    let counter = Substance(Counter())
    let seen = Recorder<Int>()
    counter.mix { state in
      counter.mix { $0.count += 10 }
      seen.append(state.count)
      state.count += 1
    }
    #expect(seen.all == [0])
    #expect(counter.count == 11)
  }

  @Test func `prop of a substance whose state is borrowed is a fault, and loses nothing`() {
    let counter = Substance(Counter())
    counter.mix { state in
      state.count = 1
      counter.prop.count = 50
      #expect(counter.prop.count == 0)
      state.count += 1
    }
    #expect(counter.count == 2)
    #expect(FaultLog.current.take().map(\.kind) == [.overlappingAccess, .overlappingAccess])
  }

  @Test func `an enum is a state`() {
    let phase = Substance(Phase.idle, name: "phase")
    let heard = Recorder<String>()
    let token = phase.observe(\.self) { heard.append("\($0) → \($1)") }
    phase.mix { $0 = .loading(1) }
    phase.mix { $0 = .loading(1) }
    phase.mix { $0 = .failed(reason: "no network", retries: [1, 2]) }
    #expect(
      heard.all == [
        "idle → loading(1)", #"loading(1) → failed(reason: "no network", retries: [1, 2])"#,
      ]
    )
    withExtendedLifetime(token) {}
  }

  @Test func `any value is a state`() {
    struct Nothing: Sendable, Equatable {}
    final class Box: Sendable {}
    let number = Substance(1)
    let text = Substance("a text that does not fit into a word or two")
    let nothing = Substance(Nothing())
    let pair = Substance((1, "one"))
    let function = Substance<@Sendable (Int) -> Int>({ $0 + 1 })
    let type = Substance<any Any.Type>(Int.self)
    let optional = Substance<Int?>(nil)
    let box = Box()
    let object = Substance(box)
    number.mix { $0 += 1 }
    text.mix { $0 += "!" }
    nothing.mix { $0 = Nothing() }
    pair.mix { $0 = ($0.0 + 1, $0.1 + "s") }
    function.mix { old in
      let before = old
      old = { before($0) * 10 }
    }
    type.mix { $0 = String.self }
    optional.mix { $0 = 7 }
    object.mix { $0 = Box() }
    #expect(number.state == 2)
    #expect(text.state == "a text that does not fit into a word or two!")
    #expect(nothing.state == Nothing())
    #expect(pair.state.0 == 2 && pair.state.1 == "ones")
    #expect(function.state(4) == 50)
    #expect("\(type.state)" == "String")
    #expect(optional.state == 7)
    #expect(object.state !== box)
  }

  @Test func `properties are read as if they were those of the substance`() {
    let counter = Substance(Counter(count: 3), name: "a counter")
    #expect(counter.count == 3)
    #expect(counter.name() == "a counter")
    #expect(counter[\.name] == "counter")
    #expect(counter.count.description.count == 1)
  }

  @Test func `two substances change together or not at all`() async {
    let (a, b) = (Substance(Counter()), Substance(Counter(count: 10)))
    let heard = Recorder<Int>()
    let token = a.observe(\.count) { _, _ in heard.append(b.count) }
    let receipt = Flask.mix(a, b) { a, b in
      a.count += 1
      b.count -= 1
    }
    #expect("\(await receipt.outcome)" == "committed(count, count)")
    #expect(heard.all == [9])
    let failed = Flask.mix(a, b) { a, b in
      a.count += 1
      b.count -= 1
      throw Oops()
    }
    #expect(failed.description == "FluxReceipt(failed(Oops()))")
    #expect(a.count == 1 && b.count == 9)
    withExtendedLifetime(token) {}
  }

  @Test func `three and four substances are mixed`() {
    let substances = (0..<4).map { Substance($0) }
    let (a, b, c, d) = (substances[0], substances[1], substances[2], substances[3])
    Flask.mix(a, b, c) { a, b, c in (a, b, c) = (c, a, b) }
    Flask.mix(a, b, c, d) { a, b, c, d in (a, b, c, d) = (d, a, b, c) }
    #expect(substances.map(\.state) == [3, 2, 0, 1])
  }

  @Test func `a substance is named once`() {
    let counter = Substance(Counter())
    let receipt = Flask.mix(counter, counter) { a, b in a.count = b.count + 1 }
    #expect(receipt.outcomeIfKnown.map { "\($0)" } == "aborted")
    #expect(FaultLog.current.take().map(\.kind) == [.overlappingAccess])
  }

  @Test func `substances of two fluxes are not mixed together`() {
    let a = Substance(1)
    let b = Flux.$current.withValue(Flux()) { Substance(2) }
    Flask.mix(a, b) { a, b in swap(&a, &b) }
    #expect(a.state == 1 && b.state == 2)
    #expect(FaultLog.current.take().map(\.kind) == [.substancesOfDifferentFluxes])
  }
}
