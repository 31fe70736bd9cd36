@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// What effects with the policy `.queue` wait for, and waits that would never end.
@Suite(.ownFlux) struct EffectQueueTests {
  private struct Step: FluxAction { var number = 0 }

  private let log = Recorder<String>()
  private let go = Signal()
  private let dispatcher = FluxDispatcher()
  private let middleware = FluxMiddleware()

  init() { dispatcher.register(workers: [middleware]) }

  @Test func `a queue waits for those before it, and not for a loop that has started later`() async {
    let loop = Signal()
    middleware.registerEffect(for: Search.self, id: "x", policy: .queue) { [log, go] action, _ in
      await go.wait()
      log.append(action.text)
    }
    middleware.registerEffect(for: Ping.self, id: "x", policy: .concurrent) { _, _ in await loop.wait() }
    let first = Search(text: "a").dispatch(with: dispatcher)
    let second = Search(text: "b").dispatch(with: dispatcher)
    let endless = Ping().dispatch(with: dispatcher)
    go.fire()
    await first.finished
    await second.finished
    #expect(log.all == ["a", "b"])
    loop.fire()
    await endless.finished
  }

  @Test func `a queue waits for a concurrent effect that started before it`() {
    let group = EffectTable.Group(identifier: 1, holder: .shared("all"))
    let owner = Owner()
    var table = EffectTable()
    table.own(ObjectIdentifier(owner))
    func add(_ run: Int, _ policy: FluxEffectPolicy) -> [EffectTable.Decision] {
      table.add(
        EffectTable.Entry(
          run: run,
          group: group,
          owner: ObjectIdentifier(owner),
          middleware: ObjectIdentifier(owner),
          policy: policy,
          pace: .immediate
        )
      )
    }
    #expect(add(1, .concurrent) == [.start(1)])
    #expect(add(2, .queue) == [])
    #expect(add(3, .concurrent) == [.start(3)])
    #expect(add(4, .queue) == [])
    #expect(table.queued(behind: 1, in: group) == [2, 4])
    #expect(table.queued(behind: 3, in: group) == [4])
    #expect(table.ended(1, of: group) == [.start(2)])
    #expect(table.ended(2, of: group) == [])
    #expect(table.ended(3, of: group) == [.start(4)])
  }

  @Test func `an effect that awaits one that is queued behind it continues, with a fault`() async {
    middleware.registerEffect(for: Step.self, id: "x", policy: .queue) { [log] action, dispatch in
      if action.number == 0 { await dispatch(Step(number: 1)).finished }
      log.append("\(action.number)")
    }
    await Step().dispatch(with: dispatcher).finished
    #expect(log.all == ["0", "1"])
    #expect(FaultLog.takeKinds() == [.effectAwaitsItself])
  }

  @Test func `the queued effect may come after the wait has begun`() async {
    let begun = Signal()
    middleware.registerEffect(for: Step.self, id: "x", policy: .queue) { [log, begun] action, dispatch in
      if action.number == 0 {
        let receipt = dispatch(Ping())
        begun.fire()
        await receipt.finished
      }
      log.append("\(action.number)")
    }
    middleware.registerEffect(for: Ping.self) { [go, begun] _, dispatch in
      await begun.wait()
      await go.wait()
      dispatch(Step(number: 1))
    }
    let receipt = Step().dispatch(with: dispatcher)
    await begun.wait()
    await soon { dispatcher.effects.waitCount == 1 }
    go.fire()
    await receipt.finished
    #expect(log.all == ["0", "1"])
    #expect(FaultLog.takeKinds() == [.effectAwaitsItself])
  }

  @Test func `an effect that awaits the action that has started it continues, with a fault`() async {
    let receipts = Recorder<FluxReceipt>()
    middleware.registerEffect(for: Ping.self) { [log, go] _, _ in
      await go.wait()
      await receipts.all[0].finished
      log.append("goes on")
    }
    let receipt = Ping().dispatch(with: dispatcher)
    receipts.append(receipt)
    go.fire()
    await receipt.finished
    #expect(log.all == ["goes on"])
    #expect(FaultLog.takeKinds() == [.effectAwaitsItself])
  }

  @Test func `a task that an effect leaves behind may await the action that has started the effect`() async {
    let receipts = Recorder<FluxReceipt>()
    let isOver = Signal()
    middleware.registerEffect(for: Ping.self) { [log, go] _, _ in
      await go.wait()
      Task {
        await receipts.all[0].finished
        log.append("after the effect")
        isOver.fire()
      }
    }
    let receipt = Ping().dispatch(with: dispatcher)
    receipts.append(receipt)
    go.fire()
    await isOver.wait()
    #expect(log.all == ["after the effect"])
  }

  @Test func `effects of a queue that await effects of another group get no fault`() async {
    middleware.registerEffect(for: Step.self, id: "x", policy: .queue) { [log] action, dispatch in
      if action.number < 3 { await dispatch(Search(text: "\(action.number)")).finished }
      log.append("\(action.number)")
    }
    middleware.registerEffect(for: Search.self, id: "y", policy: .queue) { [log] action, _ in
      log.append("found \(action.text)")
    }
    let receipts = (0..<3).map { Step(number: $0).dispatch(with: dispatcher) }
    for receipt in receipts { await receipt.finished }
    #expect(log.all == ["found 0", "0", "found 1", "1", "found 2", "2"])
  }
}
