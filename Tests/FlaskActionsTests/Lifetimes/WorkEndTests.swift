@testable import FlaskActions
import Testing

@testable import FlaskCore
import FlaskEntities
import FlaskScopes
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// The end of work is part of the commit: nothing that the work submits is performed after it.
@Suite(.ownFlux) struct WorkEndTests {
  private let session = Substance(Session(draft: Draft()), name: "session")
  private let log = Recorder<String>()
  private let started = Signal()
  private let go = Gate()
  private let isOver = Signal()

  /// Work that ignores its cancellation on a thread of its own, until the test opens `go`.
  private func ignoringCancellation(_ body: @escaping @Sendable () async -> Void) -> FluxWork {
    session.whilePresent(\.draft) { [started, go, isOver] _ in
      started.fire()
      await OtherThread.run { go.wait() }
      await body()
      isOver.fire()
    }
  }

  private func endAndContinue() async {
    await started.wait()
    session.mix { $0.draft = nil }
    go.open()
    await isOver.wait()
  }

  // MARK: After the end

  @Test func `no mix, chain, closure, mixer or action is performed, and receipts say cancelled`() async throws
  {
    enum Mixers: SubstanceMixer { case add }
    let store = TallyStore()
    let dispatcher = FluxDispatcher()
    dispatcher.register(workers: [store])
    let board = ReactiveSubstance(Tally()) { on in on(Mixers.add) { state, _ in state.counter += 1 } }
    session.mix { $0.rows.append(Row(id: 1)) }
    let row = try #require(session.scope(\.rows, id: 1))
    let owner = Owner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [board])
    let flux = Flux.current
    _ = ignoringCancellation { [log, session] in
      let receipts: [FluxReceipt] = [
        session.mix { $0.total += 1 },
        row.mix { $0.title = "late" },
        Flask.mix(session, board) { session, board in
          session.total += 1
          board.counter += 1
        },
        flux.performInFluxQueue { log.append("performed") },
        Flask.substances(reactTo: Mixers.add),
        Add().dispatch(with: dispatcher),
        reactor.mix(board) { $0.prop.counter += 1 }.react(),
      ]
      for receipt in receipts { log.append("\(await receipt.outcome)") }
    }
    await endAndContinue()
    #expect(log.all == Array(repeating: "cancelled", count: 7))
    #expect(session.state.total == 0)
    #expect(row.title == "")
    #expect(board.state.counter == 0)
    #expect(store.state.counter == 0)
    #expect(flux.waitingCount == 0)
  }

  @Test func `a transaction throws CancellationError, and a lock is not held`() async {
    let flux = Flux.current
    _ = ignoringCancellation { [log, session] in
      await Task {
        // A task that is not cancelled itself, and belongs to the work.
        do {
          try await session.transaction { $0.total += 1 }
        } catch { log.append("\(type(of: error))") }
        let lock = flux.lock()
        log.append("\(lock.isHeld) \(flux.locks.count)")
      }.value
    }
    await endAndContinue()
    #expect(log.all == ["CancellationError", "false 0"])
    #expect(session.state.total == 0)
  }

  @Test func `an operation of another flux is not performed either`() async {
    let other = Flux.$current.withValue(Flux()) { Substance(Tally()) }
    _ = ignoringCancellation { [log] in log.append("\(await other.mix { $0.counter = 1 }.outcome)") }
    await endAndContinue()
    #expect(log.all == ["cancelled"])
    #expect(other.state.counter == 0)
  }

  @Test func `child tasks and tasks that the work has started belong to it, a detached one does not`() async {
    _ = ignoringCancellation { [log, session] in
      async let child = session.mix { $0.total += 1 }.outcome
      let task = Task { await session.mix { $0.total += 1 }.outcome }
      let detached = Task.detached { await session.mix { $0.total += 100 }.outcome }
      log.append("\(await child)")
      log.append("\(await task.value)")
      log.append("\(await detached.value)")
    }
    await endAndContinue()
    #expect(log.all == ["cancelled", "cancelled", "committed(total)"])
    #expect(session.state.total == 100)
  }

  @Test func `a task that work has left behind is cut off, too`() async {
    session.whilePresent(\.draft) { [started, go, isOver, log, session] _ in
      Task {
        started.fire()
        await OtherThread.run { go.wait() }
        log.append("\(await session.mix { $0.total += 1 }.outcome)")
        isOver.fire()
      }
    }
    await endAndContinue()
    #expect(log.all == ["cancelled"])
  }

  @Test func `work that has been ended by its handle submits nothing`() async {
    let work = ignoringCancellation { [log, session] in
      log.append("\(await session.mix { $0.total += 1 }.outcome)")
    }
    await started.wait()
    work.end()
    go.open()
    await isOver.wait()
    #expect(log.all == ["cancelled"])
    #expect(session.state.draft != nil)
  }

  @Test func `what one member submits after its end is not performed, and what another one submits is`() async
  {
    session.mix { $0.rows = [Row(id: 1), Row(id: 2)] }
    let both = Recorder<Int>()
    session.whilePresent(each: \.rows) { [go, log, session] row in
      both.append(row.id)
      await OtherThread.run { go.wait() }
      let outcome = await session.mix { $0.total += row.id }.outcome
      log.append("\(row.id) \(outcome)")
    }
    await soon { both.all.count == 2 }
    session.mix { $0.rows.remove(id: 1) }
    go.open()
    await soon { log.all.count == 2 }
    #expect(log.all.sorted() == ["1 cancelled", "2 committed(total)"])
  }

  // MARK: Before and during the end

  @Test func `operations that wait behind the removal are dropped, those before it are performed`() async {
    let flux = Flux.current
    let lock = flux.lock()
    session.whilePresent(\.draft) { [started, go, isOver, log, session] _ in
      let before = session.mix { $0.total += 1 }
      started.fire()
      await OtherThread.run { go.wait() }
      let after = session.mix { $0.total += 10 }
      let transaction = Task { try await session.transaction { $0.total += 100 } }
      await soon { flux.waitingCount == 4 }
      lock.release()
      log.append("\(await before.outcome)")
      log.append("\(await after.outcome)")
      do { try await transaction.value } catch { log.append("\(type(of: error))") }
      isOver.fire()
    }
    await started.wait()
    session.mix { $0.draft = nil }
    go.open()
    await isOver.wait()
    #expect(log.all == ["committed(total)", "cancelled", "CancellationError"])
    #expect(session.state.total == 1)
  }

  @Test func `what has been queued is dropped with the end, although the flux is locked`() async {
    let flux = Flux.current
    let lock = flux.lock()
    let receipts = Recorder<FluxReceipt>()
    let work = session.whilePresent(\.draft) { [session] _ in receipts.append(session.mix { $0.total += 1 }) }
    await soon { !receipts.all.isEmpty }
    let other = session.mix { $0.total += 10 }
    work.end()
    #expect(receipts.all.map { "\($0)" } == ["FluxReceipt(cancelled)"])
    #expect(flux.waitingCount == 1)
    lock.release()
    #expect(await other.outcome.description == "committed(total)")
    #expect(session.state.total == 10)
  }

  @Test func `a lock that work holds is released with its end`() async {
    enum Mixers: SubstanceMixer { case close }
    let board = ReactiveSubstance(Session(draft: Draft())) { on in
      on(Mixers.close) { state, _ in state.draft = nil }
    }
    let flux = Flux.current
    let held = Recorder<FluxLock>()
    board.whilePresent(\.draft) { [started, go, isOver] _ in
      held.append(flux.lock())
      await flux.withLock {
        started.fire()
        await OtherThread.run { go.wait() }
      }
      isOver.fire()
    }
    await started.wait()
    #expect(flux.locks.count == 2)
    let waiting = session.mix { $0.total = 5 }
    // Precedes the queued operations, although the flux is locked.
    flux.lock(withMixer: Mixers.close, autorelease: true).release()
    #expect(flux.locks.isEmpty)
    #expect(await waiting.outcome.description == "committed(total)")
    #expect(held.all.map(\.isHeld) == [false])
    go.open()
    await isOver.wait()
  }

  @Test func `work that removes its own state ends with that commit`() async {
    session.whilePresent(\.draft) { [session, log, isOver] _ in
      log.append("\(await session.mix { $0.draft = nil }.outcome)")
      log.append("\(await session.mix { $0.total += 1 }.outcome)")
      isOver.fire()
    }
    await isOver.wait()
    #expect(log.all == ["committed(draft)", "cancelled"])
  }

  @Test func `ended work gets its receipt at once, although the flux is locked`() async {
    enum Mixers: SubstanceMixer { case add }
    let flux = Flux.current
    let board = ReactiveSubstance(Tally()) { on in on(Mixers.add) { state, _ in state.counter += 1 } }
    let work = ignoringCancellation { [log, session] in
      let receipt = session.mix { $0.total += 1 }
      log.append("\(receipt) \(flux.waitingCount)")
      let late = flux.lock(withMixer: Mixers.add)
      log.append("\(late.isHeld) \(flux.locks.count)")
    }
    await started.wait()
    let lock = flux.lock()
    work.end()
    go.open()
    await isOver.wait()
    lock.release()
    #expect(log.all == ["FluxReceipt(cancelled) 0", "false 1"])
    #expect(board.state.counter == 0)
  }
}
