@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// Effects of two middlewares with equal identifiers.
@Suite(.ownFlux) struct EffectOwnGroupTests {
  private let log = Recorder<String>()
  private let go = Signal()
  private let dispatcher = FluxDispatcher()

  /// A middleware whose effect writes what has become of it.
  private func middleware(
    _ name: String,
    group: FluxEffectGroup = .own,
    policy: FluxEffectPolicy = .latest
  ) -> FluxMiddleware {
    let middleware = FluxMiddleware()
    middleware.registerEffect(for: Search.self, id: { $0.text }, group: group, policy: policy) {
      [log, go] _, _ in
      await go.wait()
      log.append(Task.isCancelled ? "\(name) was cancelled" : "\(name) ends")
    }
    dispatcher.register(workers: [middleware])
    return middleware
  }

  @Test func `equal identifiers of two middlewares do not meet`() async {
    _ = middleware("a")
    _ = middleware("b")
    let receipt = Search(text: "x").dispatch(with: dispatcher)
    go.fire()
    await receipt.finished
    #expect(log.all.sorted() == ["a ends", "b ends"])
  }

  @Test func `effects of a shared group meet`() async {
    _ = middleware("a", group: .shared("search"))
    _ = middleware("b", group: .shared("search"))
    let receipt = Search(text: "x").dispatch(with: dispatcher)
    go.fire()
    await receipt.finished
    #expect(log.all.filter { $0.hasPrefix("b") } == ["b ends"])
    #expect(!log.all.contains("a ends"))
  }

  @Test func `two shared groups of different names do not meet`() async {
    _ = middleware("a", group: .shared("1"))
    _ = middleware("b", group: .shared("2"))
    let receipt = Search(text: "x").dispatch(with: dispatcher)
    go.fire()
    await receipt.finished
    #expect(log.all.sorted() == ["a ends", "b ends"])
  }

  @Test func `effects of a shared group without an identifier are one group`() async {
    for name in ["a", "b"] {
      let middleware = FluxMiddleware()
      middleware.registerEffect(for: Ping.self, group: .shared("pings"), policy: .exhaust) { [log] _, _ in
        log.append(name)
      }
      dispatcher.register(workers: [middleware])
    }
    await Ping().dispatch(with: dispatcher).finished
    #expect(log.all == ["a"])
  }

  @Test func `a dispatcher cancels all effects of an identifier, of whatever middleware`() async {
    _ = middleware("a")
    _ = middleware("b")
    _ = middleware("c", group: .shared("search"))
    let receipt = Search(text: "x").dispatch(with: dispatcher)
    let other = Search(text: "y").dispatch(with: dispatcher)
    dispatcher.cancelEffects(id: "x")
    go.fire()
    await receipt.finished
    await other.finished
    #expect(log.all.count { $0.hasSuffix("ends") } == 3)
    #expect(dispatcher.effects.isIdle)
  }

  @Test func `effects of two middlewares that restart each other end with cancelEffects of the dispatcher`()
    async
  {
    let started = Signal()
    let rounds = Recorder<Int>()
    let first = FluxMiddleware()
    let second = FluxMiddleware()
    first.registerEffect(for: Ping.self, id: "x") { [go] _, dispatch in
      started.fire()
      await go.wait()
      rounds.append(1)
      dispatch(Pong())
    }
    second.registerHandler(for: Pong.self) { [dispatcher] _ in
      if rounds.all.count == 1 { dispatcher.cancelEffects(id: "x") }
    }
    second.registerEffect(for: Pong.self, id: "x") { _, dispatch in
      rounds.append(2)
      dispatch(Ping())
    }
    dispatcher.register(workers: [first, second])
    let receipt = Ping().dispatch(with: dispatcher)
    await started.wait()
    go.fire()
    await receipt.finished
    #expect(rounds.all == [1])
  }

  @Test func `a middleware cancels its own effects, and not those of others`() async {
    let a = middleware("a", group: .shared("search"), policy: .concurrent)
    _ = middleware("b", group: .shared("search"), policy: .concurrent)
    let receipt = Search(text: "x").dispatch(with: dispatcher)
    a.cancelEffects(id: "x")
    go.fire()
    await receipt.finished
    #expect(log.all.filter { $0.hasSuffix("ends") } == ["b ends"])
  }
}
