import FlaskActions
import FlaskTesting
import Testing

private struct Begin: FluxAction { var number = 0 }
private struct Done: FluxAction { var number = 0 }

private final class Numbers: FluxStore<[Int]>, @unchecked Sendable {
  init() {
    super.init(initialState: [], name: "numbers")
    registerReducer(for: Done.self) { state, action in state.append(action.number) }
  }
}

private final class Worker: FluxMiddleware, @unchecked Sendable {
  init(_ work: @escaping @Sendable (Begin, FluxEffectDispatch) async throws -> Void) {
    super.init()
    registerEffect(for: Begin.self) { action, dispatch in try await work(action, dispatch) }
  }
}

@Suite struct EffectTests {
  private struct Ping: FluxAction {}
  private struct Pong: FluxAction {}

  private final class Players: FluxMiddleware, @unchecked Sendable {
    override init() {
      super.init()
      registerEffect(for: Ping.self) { _, dispatch in dispatch(Pong()) }
      registerEffect(for: Pong.self) { _, dispatch in dispatch(Ping()) }
    }
  }

  @Test func `effects that dispatch each other's actions do not settle, which is an issue`() async {
    let found = IssueList()
    await withTestFlux(onIssue: { found.add($0) }) { test in
      let players = Players()
      test.dispatcher.register(workers: [players])
      await test.send(Ping())
      await test.settle()
      withExtendedLifetime(players) {}
    }
    #expect(found.messages.contains { $0.contains("never settle") })
  }

  private let found = IssueList()

  private func test(
    _ work: @escaping @Sendable (Begin, FluxEffectDispatch) async throws -> Void,
    _ body: (TestFlux, Numbers) async -> Void
  ) async {
    await withTestFlux(order: .oldestFirst, onIssue: { [found] in found.add($0) }) { test in
      let numbers = Numbers()
      test.dispatcher.register(workers: [numbers, Worker(work)])
      await body(test, numbers)
    }
  }

  @Test func `an action of an effect is performed when it is received, not before`() async {
    await test { action, dispatch in
      dispatch(Done(number: action.number))
    } _: { test, numbers in
      await test.send(Begin(number: 7))
      #expect(numbers.state == [])
      await test.advance(by: .seconds(1))
      #expect(numbers.state == [])
      let done = await test.receive(Done.self, changing: numbers) { $0 = [7] }
      #expect(done?.number == 7)
    }
    #expect(found.messages == [])
  }

  @Test func `an effect that awaits the outcome of its action gets it when that is received`() async {
    await test { action, dispatch in
      let outcome = await dispatch(Done(number: action.number)).outcome
      dispatch(Done(number: outcome.description == "committed()" ? 2 : 3))
    } _: { test, numbers in
      await test.send(Begin(number: 1))
      await test.receive(Done.self, changing: numbers) { $0 = [1] }
      await test.receive(Done.self, changing: numbers) { $0.append(numbers.state.last ?? 0) }
    }
    #expect(found.messages == [])
  }

  @Test func `an action that is not received is an issue, and so is its effect`() async {
    await test { action, dispatch in
      dispatch(Done(number: action.number))
    } _: { test, numbers in
      await test.send(Begin(number: 7))
    }
    #expect(found.messages.count == 2)
    #expect(
      found.messages.first?.hasPrefix(
        "Done(number: 7) was dispatched by the effect for Begin of Worker at FlaskTestingTests/EffectTests.swift:"
      )
        == true
    )
    #expect(
      found.messages.last?.hasSuffix("has not ended (it ends when its actions have been received)") == true
    )
  }

  @Test func `an effect that has not ended is an issue`() async {
    await test { _, _ in
      await neverEnds()
    } _: { test, numbers in
      await test.send(Begin())
    }
    #expect(found.messages.count == 1)
    #expect(found.messages.first?.hasPrefix("the effect for Begin of Worker, made at ") == true)
    #expect(found.messages.first?.hasSuffix(" has not ended") == true)
  }

  @Test func `receiving what no one has sent is an issue that says what there is`() async {
    await test { action, dispatch in
      dispatch(Done(number: action.number))
    } _: { test, numbers in
      await test.receive(Done.self)
      await test.send(Begin(number: 7))
      await test.receive(Begin.self)
      await test.receive(Done.self, changing: numbers) { $0 = [7] }
    }
    #expect(
      found.messages == [
        "there is no Done to receive: no effect runs",
        "there is no Begin to receive; there are Done(number: 7)",
      ]
    )
  }

  @Test func `an effect may go by way of the main actor and of other actors`() async {
    actor Other { func next(_ number: Int) -> Int { number + 1 } }
    let other = Other()
    await test { action, dispatch in
      let first = await MainActor.run { action.number + 1 }
      let second = await other.next(first)
      let third = await MainActor.run { second + 1 }
      dispatch(Done(number: third))
    } _: { test, numbers in
      await test.send(Begin(number: 1))
      await test.receive(Done.self, changing: numbers) { $0 = [4] }
    }
    #expect(found.messages == [])
  }

  @Test func `what effects mix themselves belongs to the step that lets them run`() async {
    await withTestFlux(order: .oldestFirst, onIssue: { [found] in found.add($0) }) { test in
      let counter = Substance(Counter(), name: "counter")
      test.dispatcher.register(workers: [Worker { _, _ in counter.mix { $0.count += 1 } }])
      await test.send(Begin())
      await test.expect(changing: counter) {
        $0.count = 1
      } by: {
        test.clock.advance(by: .zero)
      }
    }
    #expect(found.messages == [])
  }

  @Test func `equal seeds give equal orders, and some seeds differ`() async {
    func order(_ seed: UInt64) async -> [Int] {
      var order: [Int] = []
      await withTestFlux(order: .seed(seed)) { test in
        let numbers = Numbers()
        test.dispatcher.register(workers: [
          numbers, Worker { action, dispatch in dispatch(Done(number: action.number)) },
        ])
        for number in 1...4 { await test.send(Begin(number: number)) }
        await test.settle()
        order = numbers.state
      }
      return order
    }
    var orders: Set<[Int]> = []
    for seed in 1...20 as ClosedRange<UInt64> {
      let first = await order(seed)
      #expect(await order(seed) == first)
      #expect(first.sorted() == [1, 2, 3, 4])
      orders.insert(first)
    }
    #expect(orders.count > 5)
  }

  @Test func `an action of an effect changes one, two, three or four states as the test says`() async {
    for number in 1...4 {
      await withTestFlux { test in
        let middleware = FluxMiddleware()
        middleware.registerEffect(for: Start.self) { _, dispatch in dispatch(Step()) }
        let stores = (0..<number).map { StepStore("store \($0)") }
        test.dispatcher.register(workers: stores + [middleware])
        await test.send(Start())
        switch number {
        case 1: await test.receive(Step.self, changing: stores[0]) { $0.count = 1 }
        case 2:
          await test.receive(Step.self, changing: stores[0], stores[1]) { ($0.count, $1.count) = (1, 1) }
        case 3:
          await test.receive(Step.self, changing: stores[0], stores[1], stores[2]) {
            ($0.0.count, $0.1.count, $0.2.count) = (1, 1, 1)
          }
        default:
          await test.receive(Step.self, changing: stores[0], stores[1], stores[2], stores[3]) {
            ($0.0.count, $0.1.count, $0.2.count, $0.3.count) = (1, 1, 1, 1)
          }
        }
      }
    }
  }
}

/// Ends when its task is cancelled.
private func neverEnds() async {
  let (stream, _) = AsyncStream<Void>.makeStream()
  for await _ in stream {}
}

private struct Start: FluxAction {}
private struct Step: FluxAction {}

private final class StepStore: FluxStore<Counter>, @unchecked Sendable {
  init(_ name: String) {
    super.init(initialState: Counter(), name: name)
    registerReducer(for: Step.self) { state, _ in state.count += 1 }
  }
}
