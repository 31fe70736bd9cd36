@testable import FlaskActions
import Testing

@testable import FlaskCore
import FlaskEntities
import FlaskScopes
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// What other code does because of work, or on its threads, is not the work's.
@Suite(.ownFlux) struct WorkAndOthersTests {
  private let session = Substance(Session(draft: Draft()), name: "session")
  private let log = Recorder<String>()
  private let started = Signal()
  private let go = Gate()
  private let isOver = Signal()

  @Test func `what reacts to an operation of the work is performed after the end, too`() async {
    let token = session.observe(\.text, isolation: nil) { [session] _, _ in
      session.mix { $0.draft = nil }
      session.mix { $0.total += 1 }
    }
    session.whilePresent(\.draft) { [session, isOver] _ in
      session.mix { $0.text = "changed" }
      isOver.fire()
    }
    await isOver.wait()
    #expect(session.state.draft == nil)
    #expect(session.state.total == 1)
    withExtendedLifetime(token) {}
  }

  @Test func `an effect of an action that the work has dispatched continues`() async {
    let dispatcher = FluxDispatcher()
    let middleware = FluxMiddleware()
    dispatcher.register(workers: [middleware])
    middleware.registerEffect(for: Ping.self) { [session, go, log] _, _ in
      await OtherThread.run { go.wait() }
      log.append("\(await session.mix { $0.total += 1 }.outcome)")
    }
    session.whilePresent(\.draft) { [started] _ in
      Ping().dispatch(with: dispatcher)
      started.fire()
    }
    await started.wait()
    session.mix { $0.draft = nil }
    go.open()
    await soon { !log.all.isEmpty }
    #expect(log.all == ["committed(total)"])
  }

  @Test func `operations of other code that the thread of the work performs continue`() async {
    // The work's mix is slow, and its thread performs what other threads queue meanwhile.
    let other = Substance(Tally(), name: "other")
    let token = other.observe(\.counter, isolation: nil) { [session] _, _ in
      session.mix { $0.draft = nil }
      session.mix { $0.total += 1 }
    }
    session.whilePresent(\.draft) { [session, started, go, isOver] _ in
      let run = WorkRun.current
      await OtherThread.run {
        WorkRun.$current.withValue(run) {
          _ = session.mix {
            started.fire()
            go.wait()
            $0.text = "changed"
          }
        }
      }
      isOver.fire()
    }
    await started.wait()
    other.mix { $0.counter = 1 }
    go.open()
    await isOver.wait()
    await soon { session.state.total == 1 }
    #expect(session.state.total == 1)
    withExtendedLifetime(token) {}
  }

  @Test func `an observer that work has added is not the work's`() async {
    let tokens = Recorder<SubstanceObservation>()
    let other = Substance(Tally(), name: "other")
    let values = Recorder<Int>()
    session.whilePresent(\.draft) { [session, isOver] _ in
      tokens.append(
        other.observe(\.counter) { @MainActor _, new in
          session.mix { $0.total += new }
          values.append(new)
        }
      )
      other.mix { $0.counter = 1 }
      isOver.fire()
    }
    await isOver.wait()
    session.mix { $0.draft = nil }
    other.mix { $0.counter = 10 }
    await mainActorIsDone { values.all.count == 2 }
    #expect(session.state.total == 11)
  }

  @Test func `a fault of ended work may be written down by a mix`() async {
    let faults = Substance(0, name: "faults")
    let flux = Flux.current
    let before = flux.onFault
    defer { flux.onFault = before }
    flux.onFault = { _ in faults.mix { $0 += 1 } }
    session.whilePresent(\.draft) { [session, started, go, isOver] _ in
      started.fire()
      await OtherThread.run { go.wait() }
      session.rollbackState()
      isOver.fire()
    }
    await started.wait()
    session.mix { $0.draft = nil }
    go.open()
    await isOver.wait()
    #expect(faults.state == 1)
  }

  @Test func `work that work registers ends with it`() async {
    session.mix { $0.detail = Detail(id: 1) }
    session.whilePresent(\.detail) { [session] detail in
      session.whilePresent(\.draft) { [log] _ in
        log.append("inner of \(detail.id)")
        try await Task.sleep(for: .seconds(3_600))
      }
      session.whilePresent(each: \.rows) { [log] row in log.append("row of \(detail.id)") }
      try await Task.sleep(for: .seconds(3_600))
    }
    for id in 1...3 {
      session.mix { $0.detail = Detail(id: id) }
      await soon { log.all.count == id }
    }
    #expect(log.all == ["inner of 1", "inner of 2", "inner of 3"])
    session.mix { $0.rows.append(Row(id: 1)) }
    await soon { log.all.count == 4 }
    session.mix { $0.detail = nil }
    session.mix { $0.draft = nil }
    session.mix {
      $0.draft = Draft()
      $0.rows.append(Row(id: 2))
    }
    await soon { false }
    #expect(log.all == ["inner of 1", "inner of 2", "inner of 3", "row of 3"])
  }

  @Test func `ended work that takes a lock leaves nothing behind`() async {
    let left = WeakRun()
    do {
      let short = Substance(Session(rows: [Row(id: 1), Row(id: 2)]))
      let flux = Flux.current
      short.whilePresent(each: \.rows) { [weak short, started, go, isOver] row in
        if row.id == 2 { return }
        left.run = WorkRun.current
        started.fire()
        await OtherThread.run { go.wait() }
        _ = flux.lock()
        short?.mix { $0.total = 1 }
        isOver.fire()
      }
      await started.wait()
      short.mix { $0.rows.removeAll() }
      go.open()
      await isOver.wait()
      #expect(flux.locks.isEmpty)
    }
    await soon { left.run == nil }
    #expect(left.run == nil)
  }
}

/// `@unchecked Sendable`: written once by the work, and read after its end.
private final class WeakRun: @unchecked Sendable { weak var run: WorkRun? }
