@testable import FlaskActions
import Testing

@testable import FlaskCore
import FlaskEntities
import FlaskScopes
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// Effects that end with a piece of state.
@Suite(.ownFlux) struct EffectWhileTests {
  private struct Load: FluxAction { var row = 1 }

  private let session = Substance(Session(rows: [Row(id: 1), Row(id: 2)], list: [Row(id: 1)]))
  private let log = Recorder<String>()
  private let started = Signal()
  private let go = Gate()
  private let isOver = Signal()
  private let dispatcher = FluxDispatcher()
  private let middleware = FluxMiddleware()

  init() {
    dispatcher.register(workers: [middleware])
    middleware.registerHandler(for: Found.self) { [log] in log.append("found \($0.text)") }
  }

  private func registerIgnoringCancellation(policy: FluxEffectPolicy = .concurrent) {
    middleware.registerEffect(
      for: Load.self,
      while: { [session] in session.lifetime(of: \.rows, id: $0.row) },
      policy: policy
    ) { [started, go, isOver, log, session] action, dispatch in
      started.fire()
      await OtherThread.run { go.wait() }
      log.append("\(action.row) \(await dispatch(Found(text: "\(action.row)")).outcome)")
      log.append("\(action.row) \(await session.mix { $0.total += 1 }.outcome)")
      isOver.fire()
    }
  }

  @Test(arguments: FluxEffectPolicy.allCases)
  func `an effect ends with its row, and nothing that it submits is performed`(policy: FluxEffectPolicy) async
  {
    registerIgnoringCancellation(policy: policy)
    let receipt = Load(row: 1).dispatch(with: dispatcher)
    await started.wait()
    session.mix { $0.rows.remove(id: 1) }
    go.open()
    await isOver.wait()
    await receipt.finished
    #expect(log.all == ["1 cancelled", "1 cancelled"])
    #expect(session.state.total == 0)
    #expect(dispatcher.effects.isIdle)
    #expect(session.cell.listeners.isEmpty)
  }

  @Test func `an effect of another row continues`() async {
    registerIgnoringCancellation()
    let first = Load(row: 1).dispatch(with: dispatcher)
    let second = Load(row: 2).dispatch(with: dispatcher)
    await started.wait()
    session.mix { $0.rows.remove(id: 1) }
    go.open()
    await first.finished
    await second.finished
    #expect(log.all.filter { $0.hasPrefix("1") } == ["1 cancelled", "1 cancelled"])
    #expect(
      log.all.filter { $0.hasPrefix("2") }
        == ["2 committed()", "2 committed(total)"].map { $0.replacing("committed()", with: "unchanged") }
    )
    #expect(session.state.total == 1)
  }

  @Test func `an effect whose state does not exist never starts`() async {
    registerIgnoringCancellation()
    await Load(row: 9).dispatch(with: dispatcher).finished
    #expect(log.all == [])
    middleware.registerEffect(for: Ping.self, while: { [session] _ in session.lifetime(of: \.draft) }) {
      [log] _, _ in log.append("runs")
    }
    await Ping().dispatch(with: dispatcher).finished
    #expect(log.all == [])
    session.mix { $0.draft = Draft() }
    await Ping().dispatch(with: dispatcher).finished
    #expect(log.all == ["runs"])
    #expect(dispatcher.effects.isIdle)
  }

  @Test func `an effect that waits for its pace never starts after its state was removed`() async {
    let clock = ManualClock()
    session.mix { $0.draft = Draft() }
    middleware.registerEffect(
      for: Ping.self,
      while: { [session] _ in session.lifetime(of: \.draft) },
      pace: .debounce(.seconds(1)),
      clock: clock
    ) { [log] _, _ in log.append("runs") }
    let receipt = Ping().dispatch(with: dispatcher)
    await clock.sleeping(1)
    session.mix { $0.draft = nil }
    session.mix { $0.draft = Draft() }
    await receipt.finished
    clock.advance(by: .seconds(5))
    await soon { false }
    #expect(log.all == [])
    #expect(dispatcher.effects.isIdle)
  }

  @Test func `content with another identity ends the effect`() async {
    session.mix { $0.detail = Detail(id: 1) }
    middleware.registerEffect(for: Ping.self, while: { [session] _ in session.lifetime(of: \.detail) }) {
      [started, go, isOver, log] _, dispatch in
      started.fire()
      await OtherThread.run { go.wait() }
      log.append("\(await dispatch(Found(text: "x")).outcome)")
      isOver.fire()
    }
    Ping().dispatch(with: dispatcher)
    await started.wait()
    session.mix { $0.detail?.price = 1 }
    session.mix { $0.detail = Detail(id: 2) }
    go.open()
    await isOver.wait()
    #expect(log.all == ["cancelled"])
  }

  @Test func `the state of a store may end an effect, and so may a scope`() async throws {
    struct Close: FluxAction {}
    final class Store: FluxStore<Session>, @unchecked Sendable {
      init() {
        super.init(initialState: Session(list: [Row(id: 1)], table: ["k": Row(id: 2)]))
        registerReducer(for: Close.self) { state, _ in
          state.list = []
          state.table = [:]
        }
      }
    }
    let store = Store()
    dispatcher.register(workers: [store])
    session.mix { $0.folder = Folder(id: 1, rows: [Row(id: 5)]) }
    let row = try #require(session.scope(\.folder)?.scope(\.rows, id: 5))
    let presences: [@Sendable () -> FluxLifetime?] = [
      { store.lifetime(of: \.list, id: 1) }, { store.lifetime(of: \.table, key: "k") }, { row.lifetime },
      { store.lifetime },
    ]
    let count = Recorder<Int>()
    for (index, presence) in presences.enumerated() {
      middleware.registerEffect(for: Ping.self, while: { _ in presence() }) { [go, log] _, dispatch in
        count.append(index)
        await OtherThread.run { go.wait() }
        log.append("\(index) \(await dispatch(Found(text: "x")).outcome)")
      }
    }
    let receipt = Ping().dispatch(with: dispatcher)
    await soon { count.all.count == 4 }
    Close().dispatch(with: dispatcher)
    session.mix { $0.folder = nil }
    go.open()
    await receipt.finished
    #expect(
      log.all.filter { !$0.hasPrefix("found") }.sorted() == [
        "0 cancelled", "1 cancelled", "2 cancelled", "3 unchanged",
      ]
    )
  }

  @Test func `a released substance ends the effect`() async {
    do {
      let short = Substance(Session(draft: Draft()))
      middleware.registerEffect(for: Ping.self, while: { [weak short] _ in short?.lifetime(of: \.draft) }) {
        [started, go, isOver, log] _, dispatch in
        started.fire()
        await OtherThread.run { go.wait() }
        log.append("\(await dispatch(Found(text: "x")).outcome)")
        isOver.fire()
      }
      Ping().dispatch(with: dispatcher)
      await started.wait()
      withExtendedLifetime(short) {}
    }
    go.open()
    await isOver.wait()
    #expect(log.all == ["cancelled"])
  }

  @Test func `an effect whose state does not exist leaves the others of its group alone`() async {
    middleware.registerEffect(
      for: Load.self,
      while: { [session] in session.lifetime(of: \.rows, id: $0.row) },
      id: "x",
      policy: .latest
    ) { [started, go, log] action, _ in
      started.fire()
      await OtherThread.run { go.wait() }
      log.append("\(action.row) \(Task.isCancelled)")
    }
    let receipt = Load(row: 1).dispatch(with: dispatcher)
    await started.wait()
    await Load(row: 9).dispatch(with: dispatcher).finished
    go.open()
    await receipt.finished
    #expect(log.all == ["1 false"])
  }
}
