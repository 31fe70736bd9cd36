import FlaskPrimitives
import FlaskActions
import FlaskInsight
import Foundation
import Testing

private struct AddItem: FluxAction {}
private struct Found: FluxAction {}
private final class CartView {}
@MainActor private final class MainView {}
private enum Shop: SubstanceMixer { case Login }

private final class Search: FluxMiddleware, @unchecked Sendable {
  override init() {
    super.init()
    registerEffect(for: AddItem.self, id: "search", fileID: "Cart/Search.swift", line: 5) { _, dispatch in
      dispatch(Found())
    }
  }
}

private final class Detour: FluxMiddleware, @unchecked Sendable {
  init(_ cart: Substance<Tally>) {
    super.init()
    registerEffect(for: AddItem.self, fileID: "Cart/Detour.swift", line: 7) { _, dispatch in
      _ = cart.mix(fileID: "Cart/Detour.swift", line: 8) { $0.name = "x" }
      await Task.detached { _ = dispatch(Found()) }.value
    }
  }
}

@Suite struct WhyTests {
  @Test func `a value says by what it was changed last`() {
    withFlux { flux, cart in
      let trace = Trace(of: flux, values: .all)
      #expect(trace.why(\.count, of: cart) == nil)
      cart.mix(fileID: "Cart/Buttons.swift", line: 31) { $0.count = 3 }
      cart.mix(fileID: "Cart/Buttons.swift", line: 32) { $0.name = "x" }
      #expect(trace.why(\.count, of: cart)?.description == "count 0 → 3 by mix at Cart/Buttons.swift:31")
      #expect(trace.why(key: "count", of: cart)?.operations.map(\.number) == [1])
      #expect(trace.why(\.inner.depth, of: cart) == nil)
      #expect(trace.why(key: "nothing", of: cart) == nil)
    }
  }

  @Test func `without values it says that it changed`() {
    withFlux { flux, cart in
      let trace = Trace(of: flux)
      cart.mix(fileID: "Cart/Buttons.swift", line: 31) { $0.count = 3 }
      #expect(trace.why(\.count, of: cart)?.description == "count changed by mix at Cart/Buttons.swift:31")
    }
  }

  @Test func `a reaction is caused by the operation that it reacts to`() {
    let flux = Flux()
    Flux.$current.withValue(flux) {
      let list = ReactiveSubstance(Tally(), name: "list") { on in
        on(AddItem.self) { state, _ in state.count += 1 }
      }
      let cart = Substance(Tally(count: 3), name: "cart")
      let owner = CartView()
      let reactor = Flask.reactor(attachedTo: owner, mixing: [list])
      reactor.handler = { _, _ in cart.mix(fileID: "Cart/Buttons.swift", line: 31) { $0.count += 1 } }
      let trace = Trace(of: flux, values: .all)
      flux.dispatcher.dispatch(AddItem(), fileID: "Cart/List.swift", line: 12)
      #expect(
        trace.why(\.count, of: cart)?.description
          == "count 3 → 4 by mix at Cart/Buttons.swift:31, in a reaction of CartView, to action AddItem at Cart/List.swift:12"
      )
    }
  }

  @Test func `a chain of causes goes back to the first`() {
    withFlux { flux, cart in
      let other = Substance(Tally(), name: "other")
      let token = cart.observe(\.count) { _, new in
        other.mix(fileID: "A/A.swift", line: 2) { $0.count = new }
      }
      let second = other.observe(\.count) { _, new in
        other.mix(fileID: "A/A.swift", line: 3) { $0.name = "\(new)" }
      }
      let trace = Trace(of: flux)
      cart.mix(fileID: "A/A.swift", line: 1) { $0.count = 1 }
      #expect(
        trace.why(\.name, of: other)?.description
          == "name changed by mix at A/A.swift:3, in an observer, of mix at A/A.swift:2, in an observer, of mix at A/A.swift:1"
      )
      #expect(trace.why(\.name, of: other)?.operations.map(\.number) == [3, 2, 1])
      withExtendedLifetime((token, second)) {}
    }
  }

  /// Performs `body` on another thread while this one waits.
  private func elsewhere(_ body: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      isDone.signal()
    }
    isDone.wait()
  }

  @MainActor @Test
  func `a commit that has waited causes what its observer submits, wherever it is delivered`() {
    let flux = Flux()
    let (first, second) = Flux.$current.withValue(flux) {
      (Substance(0, name: "first"), Substance(0, name: "second"))
    }
    let token = first.observe(\.self) { @MainActor _, new in second.mix { $0 = new } }
    elsewhere { first.mix { $0 = 1 } }
    let trace = Trace(of: flux)
    elsewhere { first.mix { $0 = 2 } }
    first.mix { $0 = 3 }
    let causes = trace.records.filter { $0.changes.first?.substance == "second" }.map { $0.cause?.operation }
    #expect(trace.records.filter { $0.changes.first?.substance == "first" }.map(\.number) == [1, 2])
    #expect(causes == [nil, 1, 2])
    withExtendedLifetime(token) {}
  }

  @MainActor @Test func `an operation that waited since before the trace has no cause`() async {
    let flux = Flux()
    let (first, second) = Flux.$current.withValue(flux) {
      (Substance(0, name: "first"), Substance(0, name: "second"))
    }
    let held = Lock<FluxLock?>(nil)
    let token = first.observe(\.self) { @MainActor _, _ in held.withLock { $0.take() }?.release() }
    let former = Trace(of: flux)
    elsewhere { first.mix { $0 = 1 } }
    former.stop()
    held.withLock { $0 = flux.lock() }
    second.mix { $0 = 1 }
    let trace = Trace(of: flux)
    while trace.records.isEmpty { await Task.yield() }
    #expect(trace.records.map { $0.cause == nil } == [true])
    withExtendedLifetime(token) {}
  }

  private final class Desk: Sendable {}

  @Test func `a handler that is set while a commit is reported is one that was notified`() {
    let (flux, desk) = (Flux(), Desk())
    let (first, second) = Flux.$current.withValue(flux) {
      (Substance(0, name: "first"), Substance(0, name: "second"))
    }
    let former = Flask.reactor(attachedTo: desk, mixing: first)
    let later = Flask.reactor(attachedTo: desk, mixing: first)
    later.handler = { _, _ in }
    former.handler = { _, _ in later.handler = { _, _ in second.mix { $0 += 1 } } }
    let trace = Trace(of: flux)
    first.mix { $0 = 1 }
    #expect(trace.records.first?.notifications.count == 2)
    #expect(trace.records.last?.cause?.kind == .reaction(of: "Desk"))
  }

  @Test func `what is submitted inside of a mix is caused by it`() {
    withFlux { flux, cart in
      let trace = Trace(of: flux)
      cart.mix(fileID: "A/A.swift", line: 1) { _ in cart.mix(fileID: "A/A.swift", line: 2) { $0.count = 1 } }
      #expect(
        trace.why(\.count, of: cart)?.description
          == "count changed by mix at A/A.swift:2, inside mix at A/A.swift:1"
      )
    }
  }

  @Test func `an action of an effect is caused by the effect and its action`() async {
    let flux = Flux()
    let (cart, trace, receipt) = Flux.$current.withValue(flux) {
      let cart = ReactiveSubstance(Tally(), name: "cart") { on in
        on(Found.self) { state, _ in state.count += 1 }
      }
      flux.dispatcher.register(workers: [Search()])
      let trace = Trace(of: flux)
      let receipt = flux.dispatcher.dispatch(AddItem(), fileID: "Cart/List.swift", line: 12)
      return (cart, trace, receipt)
    }
    await receipt.finished
    #expect(
      trace.why(\.count, of: cart)?.description
        == "count changed by action Found, in an effect of Search at Cart/Search.swift:5, of action AddItem at Cart/List.swift:12"
    )
    flux.dispatcher.unregisterAll()
  }

  @Test func `what an effect submits in its task, or dispatches from another one, is caused by it`() async {
    let flux = Flux()
    let (cart, trace, receipt) = Flux.$current.withValue(flux) {
      let cart = ReactiveSubstance(Tally(), name: "cart") { on in
        on(Found.self) { state, _ in state.count += 1 }
      }
      let trace = Trace(of: flux)
      flux.dispatcher.register(workers: [Detour(cart)])
      return (cart, trace, flux.dispatcher.dispatch(AddItem(), fileID: "Cart/List.swift", line: 12))
    }
    await receipt.finished
    let cause = ", in an effect of Detour at Cart/Detour.swift:7, of action AddItem at Cart/List.swift:12"
    #expect(trace.why(\.count, of: cart)?.description == "count changed by action Found" + cause)
    #expect(trace.why(\.name, of: cart)?.description == "name changed by mix at Cart/Detour.swift:8" + cause)
    flux.dispatcher.unregisterAll()
  }

  @Test func `what waits for a lock of its own is caused by the lock`() async {
    let flux = Flux()
    let cart = Flux.$current.withValue(flux) { Substance(Tally(), name: "cart") }
    let trace = Trace(of: flux)
    await flux.withLock(fileID: "A/A.swift", line: 7) {
      _ = cart.mix(fileID: "A/A.swift", line: 8) { $0.count = 1 }
    }
    #expect(
      trace.why(\.count, of: cart)?.description
        == "count changed by mix at A/A.swift:8, under the lock taken at A/A.swift:7"
    )
  }

  @Test func `a mixer that brings a lock is caused by that`() {
    let flux = Flux()
    Flux.$current.withValue(flux) {
      let cart = ReactiveSubstance(Tally(), name: "cart") { on in
        on(Shop.Login) { state, _ in state.count += 1 }
      }
      let trace = Trace(of: flux)
      let lock = flux.lock(withMixer: Shop.Login, fileID: "A/A.swift", line: 7)
      lock.release()
      #expect(
        trace.why(\.count, of: cart)?.description
          == "count changed by mixer Login at A/A.swift:7, under the lock taken at A/A.swift:7"
      )
    }
  }

  @Test @MainActor func `a reaction that comes later, on another isolation, is caused by its operation`()
    async
  {
    let flux = Flux()
    let cart = Flux.$current.withValue(flux) { Substance(Tally(), name: "cart") }
    let owner = MainView()
    let trace = Trace(of: flux)
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let reactor = Flask.reactor(attachedTo: owner, mixing: [cart]) { _, reaction in
      reaction.on(\Tally.count) { change in
        let new = change.new
        cart.mix(fileID: "A/A.swift", line: 2) { $0.name = "\(new)" }
        continuation.yield(new)
      }
    }
    await Task.detached { _ = cart.mix(fileID: "A/A.swift", line: 1) { $0.count = 1 } }.value
    for await _ in stream { break }
    #expect(trace.records.first?.notifications.map(\.isLater) == [true])
    #expect(
      trace.why(\.name, of: cart)?.description
        == "name changed by mix at A/A.swift:2, in a reaction of MainView, to mix at A/A.swift:1"
    )
    withExtendedLifetime((reactor, owner)) {}
  }

  @Test func `a cause that has been forgotten is reported by its number`() {
    withFlux { flux, cart in
      let token = cart.observe(\.count) { _, new in
        cart.mix(fileID: "A/A.swift", line: 2) { $0.name = "\(new)" }
      }
      let trace = Trace(of: flux, capacity: 1)
      cart.mix { $0.count = 1 }
      #expect(
        trace.why(\.name, of: cart)?.description
          == "name changed by mix at A/A.swift:2, in an observer, of operation #1, which is not kept any more"
      )
      withExtendedLifetime(token) {}
    }
  }
}
