import FlaskScopes
import FlaskCore
import FlaskArchive
import FlaskActions
import FlaskInsight
import Foundation
import Testing

private final class Screen {}
private final class Leak { var tokens: [SubstanceObservation] = [] }
private struct Load: FluxAction {}
private struct Secret: FluxAction, Redacted {}

private final class Loader: FluxMiddleware, @unchecked Sendable {
  init(_ gate: AsyncStream<Void>) {
    super.init()
    for type in [0, 1] {
      let body: @Sendable () async -> Void = { for await _ in gate {} }
      if type == 0 {
        registerEffect(for: Load.self, fileID: "A/Loader.swift", line: 3) { _, _ in await body() }
      } else {
        registerEffect(for: Secret.self, fileID: "A/Loader.swift", line: 4) { _, _ in await body() }
      }
    }
  }
}

/// An inspection of all fluxes notes what any test makes meanwhile: one test at a time.
@Suite(.serialized) enum LivenessTests {}

extension LivenessTests {
  @Suite struct InspectionTests {
    @Test func `everything that lives is listed by kind, with place and holder`() async {
      let inspection = Inspection()
      let flux = Flux()
      let (gate, open) = AsyncStream.makeStream(of: Void.self)
      let other = Substance(1, name: "other flux")
      let (held, receipts) = Flux.$current.withValue(flux) {
        let cart = Substance(Tally(), name: "cart", fileID: "A/A.swift", line: 1)
        let screen = Screen()
        let reactor = Flask.reactor(attachedTo: screen, mixing: [cart], fileID: "A/A.swift", line: 2)
        let token = cart.observe(\.inner.depth) { _, _ in }
        let whole = cart.observe(\.self) { _, _ in }
        let part = cart.scope(\.inner).observe(\.depth) { _, _ in }
        let values = cart.observe(valuesOf: \.count) { _ in }
        let derived = Derived(fileID: "A/A.swift", line: 3) { cart.count * 2 }
        flux.dispatcher.register(workers: [Loader(gate)])
        let receipts = [flux.dispatcher.dispatch(Load()), flux.dispatcher.dispatch(Secret())]
        return ([cart, screen, reactor, token, whole, part, values, derived] as [AnyObject], receipts)
      }
      let lock = flux.lock(fileID: "A/A.swift", line: 5)
      let live = flux.inspect()
      #expect(
        live.description == """
          substance cart, made at A/A.swift:1
          reactor over cart of Screen, made at A/A.swift:2
          observation of cart.inner.depth
          observation of cart
          observation of cart.inner.depth
          observation of cart.count
          derived Int, made at A/A.swift:3
          effect for Load of Loader, made at A/Loader.swift:3
          effect for ‹redacted› of Loader, made at A/Loader.swift:4
          lock, made at A/A.swift:5
          """
      )
      #expect(live.entries.allSatisfy { $0.age >= .zero && $0.age < .seconds(1_000) })
      #expect(live.entries(.lock).map(\.description) == ["lock, made at A/A.swift:5"])
      lock.release()
      open.finish()
      for receipt in receipts { await receipt.finished }
      flux.dispatcher.unregisterAll()
      withExtendedLifetime((inspection, held, other)) {}
    }

    @Test func `an effect that does not end is listed beside the ones that wait for it`() async {
      final class Saver: FluxMiddleware, @unchecked Sendable {
        init(_ gate: AsyncStream<Void>) {
          super.init()
          registerEffect(for: Load.self, id: 1, policy: .queue, fileID: "A/Saver.swift", line: 1) { _, _ in
            for await _ in gate {}
          }
        }
      }
      let inspection = Inspection()
      let flux = Flux()
      let (gate, open) = AsyncStream.makeStream(of: Void.self)
      flux.dispatcher.register(workers: [Saver(gate)])
      let receipts = (0..<3).map { _ in flux.dispatcher.dispatch(Load()) }
      let entries = flux.inspect().entries(.effect)
      #expect(entries.map(\.isWaiting) == [false, true, true])
      #expect(
        entries.map(\.description) == [
          "effect for Load of Saver, made at A/Saver.swift:1",
          "effect for Load of Saver, made at A/Saver.swift:1, waiting",
          "effect for Load of Saver, made at A/Saver.swift:1, waiting",
        ]
      )
      open.finish()
      for receipt in receipts { await receipt.finished }
      flux.dispatcher.unregisterAll()
      withExtendedLifetime(inspection) {}
    }

    @Test func `a substance is listed by the name that it has now`() {
      final class Store: FluxStore<Tally>, @unchecked Sendable {
        init() {
          super.init(initialState: Tally(), fileID: "A/A.swift", line: 1)
          name(as: "store")
        }
      }
      let flux = Flux()
      let inspection = Inspection(of: flux)
      let (store, plain) = Flux.$current.withValue(flux) {
        (Store(), Substance(Tally(), name: "before", fileID: "A/A.swift", line: 2))
      }
      plain.name(as: "after")
      #expect(
        flux.inspect().description == """
          substance store, made at A/A.swift:1
          substance after, made at A/A.swift:2
          """
      )
      withExtendedLifetime((inspection, store, plain)) {}
    }

    @Test func `the difference of two moments is what a screen left behind`() {
      let inspection = Inspection()
      withFlux { flux, cart in
        let leak = Leak()
        let before = flux.inspect()
        #expect(before.difference(to: flux.inspect()).description == "nothing")
        do {
          let screen = Screen()
          let reactor = Flask.reactor(attachedTo: screen, mixing: [cart])
          let token = cart.observe(\.name) { _, _ in }
          let derived = Derived { cart.count }
          leak.tokens.append(cart.observe(\.count) { _, _ in })
          let local = Substance(Tally(), name: "local")
          #expect(flux.inspect().entries.count == 6)
          Flask.detachReactor(from: screen)
          withExtendedLifetime((reactor, token, derived, local)) {}
        }
        // A test on another thread that looks at all reactors may hold this one for a moment.
        var difference = before.difference(to: flux.inspect())
        for _ in 0..<100_000 {
          if !difference.description.contains("reactor") { break }
          sched_yield()
          difference = before.difference(to: flux.inspect())
        }
        #expect(difference.description == "+ observation of cart.count")
        #expect(!difference.isEmpty)
        let after = flux.inspect()
        leak.tokens[0].cancel()
        #expect(after.difference(to: flux.inspect()).description == "- observation of cart.count")
        #expect(before.difference(to: flux.inspect()).isEmpty)
      }
      withExtendedLifetime(inspection) {}
    }

    @Test func `without an inspection only locks are known`() {
      withFlux { flux, cart in
        let token = cart.observe(\.count) { _, _ in }
        let lock = flux.lock(fileID: "A/A.swift", line: 1)
        #expect(flux.inspect().description == "lock, made at A/A.swift:1")
        lock.release()
        #expect(flux.inspect().description == "nothing")
        withExtendedLifetime(token) {}
      }
    }

    @Test func `an inspection keeps nothing alive, and forgets with its end`() {
      weak var gone: Flux?
      do {
        let inspection = Inspection()
        withFlux { flux, cart in
          gone = flux
          #expect(flux.inspect().entries.isEmpty == false)
          withExtendedLifetime(cart) {}
        }
        #expect(gone == nil)
        withExtendedLifetime(inspection) {}
      }
      withFlux { flux, _ in
        let second = Inspection()
        #expect(flux.inspect().description == "nothing")
        withExtendedLifetime(second) {}
      }
    }

    @Test func `an inspection of a flux notes what is made in that flux only, until its end`() {
      let (flux, other) = (Flux(), Flux())
      func make(in flux: Flux) -> AnyObject { Flux.$current.withValue(flux) { Substance(Tally()) } }
      let inspection = Inspection(of: flux)
      var made = [make(in: flux), make(in: other)]
      #expect(flux.inspect().entries.map(\.kind) == [.substance])
      #expect(other.inspect().entries.isEmpty)
      // Of two inspections of a flux the end of one ends nothing.
      do { withExtendedLifetime(Inspection(of: flux)) {} }
      #expect(flux.inspect().entries.map(\.kind) == [.substance])
      do {
        let everywhere = Inspection()
        made.append(make(in: other))
        #expect(other.inspect().entries.map(\.kind) == [.substance])
        withExtendedLifetime(everywhere) {}
      }
      #expect(other.inspect().entries.isEmpty)
      #expect(flux.inspect().entries.map(\.kind) == [.substance])
      made = []
      #expect(flux.inspect().entries.isEmpty)
      withExtendedLifetime(inspection) {}
    }

    @Test func `a mix does the same while it is inspected`() {
      let inspection = Inspection()
      withFlux { flux, cart in
        let told = Told()
        let token = cart.observe(\.count) { old, new in told.append("\(old) → \(new)") }
        cart.mix { $0.count += 1 }
        #expect(told.all == ["0 → 1"])
        withExtendedLifetime(token) {}
      }
      withExtendedLifetime(inspection) {}
    }
  }
}
