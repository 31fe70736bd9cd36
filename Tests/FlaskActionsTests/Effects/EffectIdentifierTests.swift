@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// Identifiers run code of the user's: `hash(into:)`, `==`, `deinit`. None of it may meet a lock of ours.
@Suite(.ownFlux) struct EffectIdentifierTests {
  /// An identifier whose code cancels effects.
  struct Meddler: Hashable, Sendable {
    let name: String
    let meddle: @Sendable () -> Void

    static func == (left: Meddler, right: Meddler) -> Bool {
      left.meddle()
      return left.name == right.name
    }

    func hash(into hasher: inout Hasher) {
      meddle()
      hasher.combine(name)
    }
  }

  /// All hashes are equal.
  struct Collider: Hashable, Sendable {
    let name: String

    func hash(into hasher: inout Hasher) {}
  }

  /// Tells when it goes.
  final class Mortal: Hashable, Sendable {
    let name: String
    private let lastWords: LastWords

    init(_ name: String, _ lastWords: @escaping @Sendable () -> Void) {
      self.name = name
      self.lastWords = LastWords(lastWords)
    }

    static func == (left: Mortal, right: Mortal) -> Bool { left.name == right.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  private let dispatcher = FluxDispatcher()
  private let middleware = FluxMiddleware()
  private let log = Recorder<String>()

  init() { dispatcher.register(workers: [middleware]) }

  @Test func `code of an identifier can cancel effects, its own group's too`() async {
    let id = Meddler(name: "x") { [dispatcher, middleware, log] in
      log.append("meddled")
      dispatcher.cancelEffects(id: "y")
      middleware.cancelEffects(id: "y")
      dispatcher.unregister(workers: [FluxMiddleware()])
    }
    let clock = ManualClock()
    for pace in [FluxEffectPace.immediate, .debounce(.seconds(1)), .throttle(.seconds(1))] {
      middleware.registerEffect(for: Ping.self, id: id, pace: pace, clock: clock) { _, _ in
        try await clock.sleep(for: .seconds(1))
      }
    }
    let receipt = Ping().dispatch(with: dispatcher)
    await clock.sleeping(1)
    dispatcher.cancelEffects(id: id)
    await receipt.finished
    middleware.cancelEffects(id: id)
    #expect(!log.all.isEmpty)
    #expect(dispatcher.effects.isIdle)
  }

  @Test func `what an effect held can cancel effects when it goes`() async {
    let clock = ManualClock()
    for policy in FluxEffectPolicy.allCases {
      var token: LastWords? = LastWords { [dispatcher, log] in
        dispatcher.cancelEffects(id: "x")
        log.append("\(policy)")
      }
      var middleware: FluxMiddleware? = FluxMiddleware()
      middleware?.registerEffect(
        for: Held.self,
        id: "x",
        policy: policy,
        pace: .debounce(.seconds(1)),
        clock: clock
      ) {
        _,
        _ in
      }
      if let middleware { dispatcher.register(workers: [middleware]) }
      let first = Held(token: token.take()).dispatch(with: dispatcher)
      let second = Held(token: nil).dispatch(with: dispatcher)
      if let taken = middleware.take() { dispatcher.unregister(workers: [taken]) }
      await first.finished
      await second.finished
    }
    #expect(log.all == ["concurrent", "latest", "exhaust", "queue"])
  }

  @Test func `equal values are one identifier, whatever their types say`() {
    let table = EffectIdentifierTable()
    let one = table.intern(1)
    #expect(table.intern(1) === one)
    #expect(table.intern(Int8(1)) === one)
    #expect(table.intern("1") !== one)
    #expect(table.existing(1) === one)
    #expect(table.existing(2) == nil)
  }

  @Test func `values with equal hashes are different identifiers`() {
    let table = EffectIdentifierTable()
    let identifiers = ["a", "b", "c"].map { table.intern(Collider(name: $0)) }
    #expect(Set(identifiers.map(\.number)).count == 3)
    #expect(table.intern(Collider(name: "b")) === identifiers[1])
    #expect(table.existing(Collider(name: "c")) === identifiers[2])
    #expect(table.existing(Collider(name: "d")) == nil)
  }

  @Test func `identifiers that are not in use are forgotten, and are let go with no lock held`() {
    let table = EffectIdentifierTable()
    let gone = Recorder<String>()
    var identifiers: [EffectIdentifier] = []
    for number in 0..<1_000 {
      identifiers.append(
        table.intern(Mortal("\(number)") { gone.append("\(table.intern("another").number > 0)") })
      )
    }
    #expect(table.count == 1_000)
    identifiers = []
    #expect(table.count == 0)
    #expect(gone.all == [String](repeating: "true", count: 1_000))
  }

  @Test func `four threads that intern the same values agree`() async {
    let table = EffectIdentifierTable()
    let held = Recorder<[EffectIdentifier]>()
    await OtherThread.run(times: 4) { thread in
      let values = (0..<200).map { Collider(name: "\(($0 + thread * 50) % 200)") }
      held.append(values.map { table.intern($0) }.sorted { $0.number < $1.number })
    }
    let numbers = held.take().map { $0.map(\.number) }
    #expect(numbers == [[Int]](repeating: Array(1...200), count: 4))
    #expect(table.count == 0)
  }

  @Test func `registrations without an identifier share nothing`() async {
    for _ in 0..<2 {
      middleware.registerEffect(for: Ping.self, policy: .exhaust) { [log] _, _ in log.append("ran") }
    }
    await Ping().dispatch(with: dispatcher).finished
    #expect(log.all == ["ran", "ran"])
  }
}

/// An action that holds an object.
private struct Held: FluxAction { let token: LastWords? }
