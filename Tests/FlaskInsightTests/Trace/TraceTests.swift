import FlaskActions
import FlaskDerived
import FlaskInsight
import FlaskPrimitives
import FlaskScopes
import Testing
@testable import KernelFixtures

struct Tally: Sendable, Equatable {
  var count = 0
  var name = ""
  var inner = Inner()
  struct Inner: Sendable, Equatable { var depth = 0 }
}

private struct Stop: Error {}
private struct AddItem: FluxAction { var by = 1 }
private final class CartView {}
private enum Shop: SubstanceMixer { case Login }

/// A flux of its own and a substance in it.
func withFlux<Result>(_ body: (Flux, Substance<Tally>) throws -> Result) rethrows -> Result {
  let flux = Flux()
  return try Flux.$current.withValue(flux) { try body(flux, Substance(Tally(), name: "cart")) }
}

@Suite struct TraceTests {
  @Test func `an operation that is refused has ended, and is not reported as one that waits`() {
    final class Tracer: FluxTracer {
      let told = Lock<[String]>([])
      func didEnd(_ operation: borrowing TracedOperation) {
        let text = "\(operation.identity.kind) \(operation.outcome)"
        told.withLock { $0.append(text) }
      }
      func didWait(_ operation: OperationIdentity, _ submission: OperationSubmission, in flux: Flux) {
        told.withLock { $0.append("waits") }
      }
    }
    let (flux, tracer, kinds) = (Flux(), Tracer(), Lock<[FlaskFault.Kind]>([]))
    flux.onFault = { fault in kinds.withLock { $0.append(fault.kind) } }
    let counter = Flux.$current.withValue(flux) { Substance(0, name: "counter") }
    let derived = Flux.$current.withValue(flux) {
      Derived { [counter] in
        let count = counter.state
        flux.performInFluxQueue {}
        return count
      }
    }
    let token = derived.observe { _, _ in }
    flux.tracers.add(tracer)
    counter.mix { $0 = 10 }
    flux.tracers.remove(tracer)
    #expect(tracer.told.withLock { $0 } == ["closure aborted", "mix committed()"])
    #expect(Set(kinds.withLock { $0 }) == [.derivedMixes])
    withExtendedLifetime(token) {}
  }

  @Test func `a mix is a record with number, kind, place, keys and outcome`() {
    withFlux { flux, cart in
      let trace = Trace(of: flux)
      cart.mix(fileID: "Cart/Buttons.swift", line: 31) {
        $0.count += 1; $0.inner.depth = 2
      }
      cart.mix(fileID: "Cart/Buttons.swift", line: 32) { _ in }
      flux.expect([.errorDropped])
      cart.mix(fileID: "Cart/Buttons.swift", line: 33) { _ in throw Stop() }
      #expect(
        trace.records.map(\.description) == [
          "#1 mix at Cart/Buttons.swift:31, committed (cart: count, inner, inner.depth)",
          "#2 mix at Cart/Buttons.swift:32, unchanged",
          "#3 mix at Cart/Buttons.swift:33, failed(Stop)",
        ]
      )
    }
  }

  @Test func `values are kept when asked for`() {
    withFlux { flux, cart in
      let trace = Trace(of: flux, values: .all)
      let some = Trace(of: flux, values: .only(\Tally.inner).and(\Tally.name))
      cart.mix(fileID: "A/A.swift", line: 1) { $0 = Tally(count: 3, name: "x\"", inner: .init(depth: -1)) }
      #expect(
        trace.records.map(\.description) == [
          #"#1 mix at A/A.swift:1, committed (cart: count 0 → 3, name "" → "x\"", inner, inner.depth 0 → -1)"#
        ]
      )
      #expect(
        some.records.map(\.description) == [
          #"#1 mix at A/A.swift:1, committed (cart: count, name "" → "x\"", inner, inner.depth 0 → -1)"#
        ]
      )
    }
  }

  @Test func `every kind of operation says what it is`() async throws {
    let flux = Flux()
    let (trace, cart) = Flux.$current.withValue(flux) {
      let cart = ReactiveSubstance(Tally(), name: "cart") { on in
        on(Shop.Login) { state, _ in state.count += 1 }
        on(AddItem.self) { state, action in state.count += action.by }
      }
      let other = Substance(1, name: "other")
      let owner = CartView()
      let reactor = Flask.reactor(attachedTo: owner, mixing: [cart, other])
      let trace = Trace(of: flux)
      cart.mix { $0.count += 1 }
      reactor.mix(cart) { $0.prop.count += 1 }.with(other) { $0.prop += 1 }.react()
      Flask.mix(cart, other) {
        $0.count += 1; $1 += 1
      }
      Flask.substances(reactTo: Shop.Login)
      flux.dispatcher.dispatch(AddItem())
      cart.captureState()
      cart.mix { $0.count = 100 }
      cart.rollbackState()
      flux.performInFluxQueue {}
      cart.scope(\.inner).mix { $0.depth = 1 }
      return (trace, cart)
    }
    _ = try await cart.transaction { $0.count += 1 }
    #expect(
      trace.records.map { "\($0.kind) \($0.name ?? "-") \($0.place?.fileID ?? "-")" } == [
        "mix - FlaskInsightTests/TraceTests.swift",
        "chain - FlaskInsightTests/TraceTests.swift",
        "mix - FlaskInsightTests/TraceTests.swift",
        "mixer Login FlaskInsightTests/TraceTests.swift",
        "action AddItem FlaskInsightTests/TraceTests.swift",
        "mix - FlaskInsightTests/TraceTests.swift",
        "rollback - FlaskInsightTests/TraceTests.swift",
        "closure - FlaskInsightTests/TraceTests.swift",
        "mix - FlaskInsightTests/TraceTests.swift",
        "mix - FlaskInsightTests/TraceTests.swift",
      ]
    )
    #expect(trace.records.map(\.number) == Array(1...10))
    #expect(trace.records.allSatisfy { ($0.place?.line ?? 0) > 50 })
  }

  @Test func `who was notified is listed in that order with the time it took`() throws {
    try withFlux { flux, cart in
      let owner = CartView()
      let reactor = Flask.reactor(attachedTo: owner, mixing: cart)
      reactor.handler = { _, _ in }
      let silent = Flask.reactor(attachedTo: owner, mixing: cart)
      let any = cart.observe(\.self) { _, _ in }
      let one = cart.observe(\.inner.depth) { _, _ in }
      let none = cart.observe(\.name) { _, _ in }
      let trace = Trace(of: flux)
      cart.mix { $0.inner.depth = 1 }
      let record = try #require(trace.records.first)
      #expect(record.notifications.map(\.reactorOf) == ["CartView", nil, nil])
      #expect(record.notifications.map(\.key) == [nil, nil, "inner.depth"])
      #expect(record.notifications.map(\.substance) == ["cart", "cart", "cart"])
      #expect(record.notifications.allSatisfy { !$0.isLater && $0.duration >= .zero })
      #expect(record.notifications.reduce(.zero) { $0 + $1.duration } <= record.duration)
      withExtendedLifetime((owner, silent, any, one, none)) {}
    }
  }

  @Test func `an operation that waits has the times of its submission and its beginning`() throws {
    try withFlux { flux, cart in
      let trace = Trace(of: flux)
      let lock = flux.lock()
      cart.mix { $0.count = 1 }
      #expect(trace.count == 0)
      let now = ContinuousClock.now
      while ContinuousClock.now - now < .milliseconds(2) {}
      lock.release()
      let record = try #require(trace.records.first)
      #expect(record.waited >= .milliseconds(2))
      #expect(record.duration >= .zero)
    }
  }

  @Test func `what is purged is recorded as purged`() {
    withFlux { flux, cart in
      let trace = Trace(of: flux)
      let lock = flux.lock()
      cart.mix(fileID: "A/A.swift", line: 1) { $0.count = 1 }
      flux.purgeFluxQueue()
      lock.release()
      #expect(trace.records.map(\.description) == ["#1 mix at A/A.swift:1, purged"])
    }
  }

  @Test func `what is purged while an operation is reported takes none of its values`() {
    withFlux { flux, cart in
      let trace = Trace(of: flux, values: .all)
      let token = cart.observe(\.count) { _, _ in
        cart.mix { $0.name = "x" }
        flux.purgeFluxQueue()
      }
      cart.mix(fileID: "A/A.swift", line: 1) { $0.count = 3 }
      #expect(trace.count == 2)
      #expect(trace.record(1)?.description == "#1 mix at A/A.swift:1, committed (cart: count 0 → 3)")
      #expect(trace.record(2)?.outcome == .purged)
      withExtendedLifetime(token) {}
    }
  }

  @Test func `the ring keeps the newest`() {
    withFlux { flux, cart in
      let trace = Trace(of: flux, capacity: 3)
      for number in 1...10 { cart.mix { $0.count = number } }
      #expect(trace.records.map(\.number) == [8, 9, 10])
      #expect(trace.why(\.count, of: cart)?.operations.map(\.number) == [10])
      #expect(trace.count == 3)
      trace.removeAll()
      #expect(trace.records.isEmpty)
      cart.mix { $0.count = 0 }
      #expect(trace.records.map(\.number) == [11])
    }
  }

  @Test func `it ends with stop, and when it is released`() {
    withFlux { flux, cart in
      let trace = Trace(of: flux)
      cart.mix { $0.count = 1 }
      trace.stop()
      trace.stop()
      cart.mix { $0.count = 2 }
      #expect(trace.records.count == 1)
      weak var released: Trace?
      do {
        let other = Trace(of: flux)
        released = other
        cart.mix { $0.count = 3 }
        #expect(other.records.count == 1)
      }
      #expect(released == nil)
      cart.mix { $0.count = 4 }
      #expect(cart.count == 4)
    }
  }

  @Test func `a trace that was full does not keep a flux that was removed`() {
    weak var gone: Flux?
    do {
      withFlux { flux, cart in
        gone = flux
        let trace = Trace(of: flux, capacity: 2)
        for number in 1...5 { cart.mix { $0.count = number } }
        #expect(trace.count == 2)
      }
    }
    #expect(gone == nil)
  }

  @Test func `a mix does the same while it is traced`() {
    withFlux { flux, cart in
      let trace = Trace(of: flux)
      let told = Told()
      let token = cart.observe(\.count) { old, new in
        told.append("\(old) → \(new)")
        if new < 3 { cart.mix { $0.count += 1 } }
      }
      let receipt = cart.mix { $0.count += 1 }
      flux.expect([.errorDropped])
      cart.mix {
        $0.count = 9; throw Stop()
      }
      #expect(receipt.outcomeIfKnown?.description == "committed(count)")
      #expect(told.all == ["0 → 1", "1 → 2", "2 → 3"])
      #expect(cart.count == 3)
      #expect(flux.waitingCount == 0)
      withExtendedLifetime((trace, token)) {}
    }
  }

  @Test func `a mixer that has waited brings its lock along while it is traced, too`() {
    withFlux { flux, _ in
      let cart = ReactiveSubstance(Tally(), name: "cart") { on in
        on(Shop.Login) { state, _ in state.count += 1 }
      }
      let owner = CartView()
      let told = Told()
      let reactor = Flask.reactor(attachedTo: owner, mixing: [cart])
      reactor.handler = { _, reaction in told.append("\(reaction.onLock != nil)") }
      let trace = Trace(of: flux)
      flux.performInFluxQueue { flux.lock(withMixer: Shop.Login).release() }
      #expect(told.all == ["true"])
      withExtendedLifetime((trace, owner)) {}
    }
  }

  @Test func `the sequence gives each operation when it has ended`() async {
    let flux = Flux()
    let cart = Flux.$current.withValue(flux) { Substance(Tally(), name: "cart") }
    var records = flux.records(values: .all).makeAsyncIterator()
    cart.mix(fileID: "A/A.swift", line: 1) { $0.count = 1 }
    cart.mix(fileID: "A/A.swift", line: 2) { $0.count = 2 }
    #expect(await records.next()?.description == "#1 mix at A/A.swift:1, committed (cart: count 0 → 1)")
    #expect(await records.next()?.description == "#2 mix at A/A.swift:2, committed (cart: count 1 → 2)")
    let task = Task {
      var count = 0
      for await _ in flux.records() { count += 1 }
      return count
    }
    task.cancel()
    _ = await task.value
  }
}

/// Texts in the order in which they came, from any thread.
final class Told: @unchecked Sendable {
  // `@unchecked`: touched by operations of one flux only, which go one at a time, and after them.
  private(set) var all: [String] = []
  func append(_ text: String) { all.append(text) }
}
