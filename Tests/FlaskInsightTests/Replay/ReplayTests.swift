import FlaskActions
import FlaskArchive
import FlaskInsight
import Foundation
import Synchronization
import Testing
import TestSupport

@Suite struct ReplayTests {
  private func recorded(_ file: RecordingFile, _ body: (Market) async -> Void) async throws -> Recording {
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux, beginningWith: shop.substances)
    await body(shop)
    await recorder.stop()
    return try Recording(contentsOf: file.url)
  }

  // MARK: States

  @Test func `a player shows the states at any number, forwards and backwards`() async throws {
    let file = try RecordingFile()
    let recording = try await recorded(file) { shop in
      shop.title.mix { $0.items = ["start"] }
      shop.add("tea", cents: 3)
      shop.add("milk", cents: 1)
    }
    let flux = Flux()
    let (cart, title) = Flux.$current.withValue(flux) {
      (Substance(Basket(), name: "cart"), Substance(Basket(), name: "title"))
    }
    let player = try RecordingPlayer(recording, on: [cart, title])
    var seen: [String] = []
    for number in [5, 0, 2, 1, 99, -1] {
      try await player.seek(to: number)
      seen.append("\(number): \(cart.items) \(cart.total.cents) \(title.items)")
    }
    let elsewhere = Flux.$current.withValue(Flux()) { Substance(Basket(), name: "title") }
    #expect(throws: ReplayError.otherFlux) { _ = try RecordingPlayer(recording, on: [cart, elsewhere]) }
    #expect(
      seen == [
        #"5: ["tea", "milk"] 4 ["start"]"#, #"0: [] 0 []"#, #"2: ["tea"] 3 ["start"]"#, #"1: [] 0 ["start"]"#,
        #"99: ["tea", "milk"] 4 ["start"]"#, #"-1: [] 0 []"#,
      ]
    )
  }

  @Test func `substances without a name are found by the type of their state, if there is one of it`()
    async throws
  {
    let file = try RecordingFile()
    let flux = Flux()
    let one = Flux.$current.withValue(flux) { Substance(Basket()) }
    let recorder = try Recorder(to: file.url, of: flux)
    one.mix { $0.count = 4 }
    await recorder.stop()
    let recording = try Recording(contentsOf: file.url)
    let (a, b) = (Substance(Basket()), Substance(Basket()))
    try await RecordingPlayer(recording, on: [a]).seek(to: 1)
    #expect(a.count == 4)
    #expect(throws: ReplayError.ambiguous(substance: a.name())) {
      _ = try RecordingPlayer(recording, on: [a, b])
    }
    #expect(throws: ReplayError.noSubstances) {
      _ = try RecordingPlayer(recording, on: [Substance(Basket(), name: "other")])
    }
  }

  @Test func `where a secret was left out, a substance keeps what it has`() async throws {
    struct Key: Codable, Sendable, Redacted, Equatable { var text = "" }
    struct Safe: Codable, Sendable { var user = ""; var key = Key() }
    let file = try RecordingFile()
    let flux = Flux()
    let safe = Flux.$current.withValue(flux) { Substance(Safe(), name: "safe") }
    let recorder = try Recorder(to: file.url, of: flux)
    safe.mix {
      $0.user = "Ada"; $0.key.text = "secret"
    }
    await recorder.stop()
    let fresh = Substance(Safe(user: "", key: Key(text: "mine")), name: "safe")
    try await RecordingPlayer(Recording(contentsOf: file.url), on: [fresh]).seek(to: 1)
    #expect(fresh.user == "Ada")
    #expect(fresh.key.text == "mine")
  }

  @Test func `a secret in a list goes back to the element that has it`() async throws {
    struct Login: Codable, Sendable, Identifiable { var id = 0; var name = ""; var word = Word() }
    struct Word: Codable, Sendable, Redacted, Equatable { var text = "" }
    struct Safe: Codable, Sendable { var logins: [Login] = [] }
    let file = try RecordingFile()
    let flux = Flux()
    let logins = [1, 2].map { Login(id: $0, word: Word(text: "word \($0)")) }
    let safe = Flux.$current.withValue(flux) { Substance(Safe(logins: logins), name: "safe") }
    let recorder = try Recorder(to: file.url, of: flux)
    safe.mix { $0.logins[1].name = "two" }
    await recorder.stop()
    let player = try RecordingPlayer(Recording(contentsOf: file.url), on: [safe])
    safe.mix { $0.logins.swapAt(0, 1) }
    try await player.seek(to: 1)
    #expect(safe.logins.map(\.word.text) == ["word 1", "word 2"])
    #expect(safe.logins.map(\.name) == ["", "two"])
    // Nobody has the secret of the first one any more.
    safe.mix { $0.logins.remove(at: 0) }
    await #expect(throws: ReplayError.self) { try await player.seek(to: 1) }
    #expect(safe.logins.map(\.word.text) == ["word 2"])
  }

  @Test func `where the identity of an element is secret, too, its place says which it is`() async throws {
    struct Login: Codable, Sendable { var id = 0; var name = ""; var word = "" }
    struct Safe: Codable, Sendable { var logins: [Login] = [] }
    let file = try RecordingFile()
    let flux = Flux()
    let safe = Flux.$current.withValue(flux) {
      Substance(Safe(logins: [1, 2].map { Login(id: $0, word: "word \($0)") }), name: "safe")
    }
    let recorder = try Recorder(
      to: file.url,
      of: flux,
      redacting: [.keyPath(\Login.id), .keyPath(\Login.word)]
    )
    safe.mix { $0.logins[1].name = "two" }
    await recorder.stop()
    try await RecordingPlayer(Recording(contentsOf: file.url), on: [safe]).seek(to: 0)
    #expect(safe.logins.map(\.name) == ["", ""])
    #expect(safe.logins.map(\.id) == [1, 2])
    #expect(safe.logins.map(\.word) == ["word 1", "word 2"])
  }

  @Test func `what a player writes is no step of a history`() async throws {
    let file = try RecordingFile()
    let recording = try await recorded(file) { $0.add("tea") }
    let cart = Flux.$current.withValue(Flux()) { Substance(Basket(), name: "cart") }
    let history = History(of: cart)
    cart.mix { $0.total.cents = 7 }
    try await RecordingPlayer(recording, on: [cart]).seek(to: 1)
    #expect(cart.items == ["tea"])
    #expect(history.undoCount == 1)
  }

  // MARK: Logic

  @Test func `actions and mixers are sent again, mixes from outside are taken from the recording`()
    async throws
  {
    let file = try RecordingFile()
    let recording = try await recorded(file) { shop in
      shop.add("tea", cents: 3)
      shop.rename("Ada", by: 2)
      shop.refuse()
      shop.title.mix { $0.count += 40 }
      Clear().dispatch(with: shop.flux.dispatcher)
    }
    var shop: Market?
    let report = try await recording.replay(actions: [PutItem.self]) {
      let fresh = Market(flux: Flux.current)
      shop = fresh
      return fresh.substances
    }
    #expect(report.difference == nil)
    // Two echoes; the action Clear is not Codable, and so is taken as what it changed.
    #expect(report.performed == 5)
    #expect(report.applied == 2)
    #expect(shop?.title.count == 42)
    #expect(shop?.cart.state == Basket())
  }

  @Test func `the first operation that differs is named, with the difference`() async throws {
    let file = try RecordingFile()
    let recording = try await recorded(file) { shop in
      shop.add("tea", cents: 3)
      shop.add("milk", cents: 20)
    }
    let report = try await recording.replay(actions: [PutItem.self]) {
      let cart = FluxStore(initialState: Basket(), name: "cart")
      cart.registerReducer(for: PutItem.self) { state, action in
        state.items.append(action.name)
        state.total.cents += min(action.cents, 10)
        state.count += 1
      }
      Flux.current.dispatcher.register(workers: [cart])
      return [cart]
    }
    #expect(report.difference?.number == 3)
    #expect(
      report.difference?.lines == ["cart:", "  - total.cents: 23", "  + total.cents: 13"]
    )
  }

  private struct Again: FluxAction, Codable { var count = 0 }

  /// Dispatches an action once more for each that it counts, if it is working.
  private final class Doubler: FluxMiddleware, @unchecked Sendable {
    init(_ isWorking: Bool) {
      super.init()
      registerHandler(for: Again.self) { action in
        if isWorking && action.count > 0 {
          Again(count: action.count - 1).dispatch(with: Flux.current.dispatcher)
        }
      }
    }
  }

  private func doubling(_ isWorking: Bool) -> FluxStore<Basket> {
    let cart = FluxStore(initialState: Basket(), name: "cart")
    cart.registerReducer(for: Again.self) { state, _ in state.count += 1 }
    Flux.current.dispatcher.register(workers: [cart, Doubler(isWorking)])
    return cart
  }

  private func recordedDoubling(_ isWorking: Bool, _ file: RecordingFile) async throws -> Recording {
    let flux = Flux()
    let cart = Flux.$current.withValue(flux) { doubling(isWorking) }
    let recorder = try Recorder(to: file.url, of: flux)
    Again(count: 2).dispatch(with: flux.dispatcher)
    await recorder.stop()
    #expect(cart.count == (isWorking ? 3 : 1))
    flux.dispatcher.unregisterAll()
    return try Recording(contentsOf: file.url)
  }

  @Test func `code that does not submit any more what it has submitted is a difference`() async throws {
    let recording = try await recordedDoubling(true, try RecordingFile())
    let good = try await recording.replay(actions: [Again.self]) { [doubling(true)] }
    #expect(good.difference == nil)
    let bad = try await recording.replay(actions: [Again.self]) { [doubling(false)] }
    #expect(bad.difference?.number == 2)
    #expect(bad.difference?.lines.last == "+ nothing was submitted")
  }

  @Test func `code that submits what it has not submitted is a difference`() async throws {
    let recording = try await recordedDoubling(false, try RecordingFile())
    let good = try await recording.replay(actions: [Again.self]) { [doubling(false)] }
    #expect(good.difference == nil)
    let bad = try await recording.replay(actions: [Again.self]) { [doubling(true)] }
    #expect(bad.difference?.number == 1)
    let line = try #require(bad.difference?.lines.first)
    #expect(bad.difference?.lines.count == 1)
    #expect(line.hasPrefix("+ action Again at FlaskInsightTests/ReplayTests.swift:"))
    #expect(line.hasSuffix(" was submitted, and not in the recording"))
  }

  @Test func `what is submitted though nothing was recorded is a difference from nothing`() async throws {
    let file = try RecordingFile()
    let recording = try await recorded(file) { _ in }
    var lock: FluxLock?
    let report = try await recording.replay {
      // So that what follows waits.
      lock = Flux.current.lock()
      let cart = Substance(Basket(), name: "cart")
      cart.mix(fileID: "App/Cart.swift", line: 3) { $0.count = 1 }
      return [cart]
    }
    lock?.release()
    #expect(
      report.difference?.description
        == "operation 0, none:\n  + mix at App/Cart.swift:3 was submitted, and not in the recording"
    )
  }
}
