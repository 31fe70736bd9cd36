import FlaskArchive
import FlaskEntities
import FlaskInsight
import FlaskViews
import Observation
import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import FlaskHistory
@testable import KernelFixtures
import TestSupport

/// A purge drops what clients have submitted, and nothing that Flask has: a state, a status and a save would be wrong
/// without it. The flux is purged at every moment of each of these operations.
@Suite(.ownFlux) struct OperationsOfFlaskTests {
  private struct Refused: Error {}

  /// When the flux is purged, relative to the operation of Flask.
  enum Moment: CaseIterable { case before, waiting, twice, after }

  private let tally = Substance(Tally())
  private let other = Substance(Tally())

  @Test(arguments: Moment.allCases)
  func `the status of a history is right after a purge`(_ moment: Moment) async {
    let history = History(of: tally)
    // The mix and its reactions are performed, while the status has to wait for the lock.
    let locks = Recorder<FluxLock>()
    let token = tally.observe(\.counter) { _, _ in locks.append(Flask.lock()) }
    if moment == .before { Flask.purgeFluxQueue() }
    tally.mix { $0.counter += 1 }
    #expect(history.canUndo)
    #expect(!history.status.state.canUndo)
    let mix = other.mix { $0.counter += 1 }
    let isPurged = moment == .waiting || moment == .twice
    if isPurged { Flask.purgeFluxQueue() }
    if moment == .twice { Flask.purgeFluxQueue() }
    locks.all[0].release()
    if moment == .after { Flask.purgeFluxQueue() }
    #expect(history.status.state.canUndo)
    let outcome = await mix.outcome
    #expect(outcome.description == (isPurged ? "purged" : "committed(counter)"))
    withExtendedLifetime(token) {}
  }

  @Test func `each status of a history is written in order`() {
    let history = History(of: tally)
    let heard = Recorder<String?>()
    let token = history.status.observe(\.undoName) { heard.append($1) }
    let locks = Recorder<FluxLock>()
    let observing = tally.observe(\.counter) { _, _ in locks.append(Flask.lock()) }
    history.mix("first") { [tally] in tally.prop.counter = 1 }
    let waiting = Flux.current.waitingCount
    #expect(waiting == 1)
    history.mix("second") { [tally] in tally.prop.counter = 2 }
    #expect(Flux.current.waitingCount == 2)
    locks.all[0].release()
    #expect(locks.count == 2)
    locks.all[1].release()
    #expect(heard.all == ["first", "second"])
    withExtendedLifetime((token, observing)) {}
  }

  @Test(arguments: Moment.allCases)
  func `a change that fails is reverted, although the flux is purged`(_ moment: Moment) async {
    let history = History(of: tally)
    let flux = Flux.current
    let lock = Recorder<FluxLock>()
    await #expect(throws: Refused.self) {
      try await history.optimistic("Add") {
        tally.mix { $0.counter += 1 }
      } confirmedBy: {
        lock.append(Flask.lock())
        // Purges and releases once the revert waits.
        Task {
          while flux.waitingCount == 0 { await Task.yield() }
          if moment == .waiting || moment == .twice { flux.purgeFluxQueue() }
          if moment == .twice { flux.purgeFluxQueue() }
          lock.all[0].release()
          if moment == .after { flux.purgeFluxQueue() }
        }
        if moment == .before { flux.purgeFluxQueue() }
        throw Refused()
      }
    }
    #expect(tally.state.counter == 0)
    #expect(!history.canUndo)
    #expect(history.core.steps.pending.isEmpty)
  }

  @Test(arguments: Moment.allCases)
  func `a change that is confirmed is not pending any more, although the flux is purged`(_ moment: Moment)
    async throws
  {
    let history = History(of: tally)
    let lock = Recorder<FluxLock>()
    if moment == .before { Flask.purgeFluxQueue() }
    try await history.optimistic("Add") {
      tally.mix { $0.counter += 1 }
    } confirmedBy: {
      lock.append(Flask.lock())
    }
    #expect(Flux.current.waitingCount == 1)
    if moment == .waiting || moment == .twice { Flask.purgeFluxQueue() }
    if moment == .twice { Flask.purgeFluxQueue() }
    lock.all[0].release()
    if moment == .after { Flask.purgeFluxQueue() }
    #expect(tally.state.counter == 1)
    #expect(history.core.steps.pending.isEmpty)
  }

  @Test func `a save that waits for the operation in progress waits for it, although the flux is purged`()
    async
  {
    let backend = MemoryArchive()
    let saved = Substance(Tally(), name: "saved", archive: true, in: backend)
    let (isMixing, goOn) = (Recorder<Bool>(), Gate())
    let flux = Flux.current
    let mix = Task {
      await OtherThread.run {
        _ = saved.mix {
          $0.counter = 7
          isMixing.append(true)
          goOn.wait()
        }
      }
    }
    while isMixing.count == 0 { await Task.yield() }
    let order = Recorder<String>()
    let saving = Task {
      let isSaved = await saved.archiveNow()
      order.append("saved \(isSaved)")
    }
    while flux.waitingCount == 0 { await Task.yield() }
    flux.purgeFluxQueue()
    #expect(flux.waitingCount == 1)
    order.append("goes on")
    goOn.open()
    await mix.value
    await saving.value
    #expect(order.all == ["goes on", "saved true"])
    saved.shouldArchive = false
    let read: Substance<Tally> = Flux.$current.withValue(Flux()) {
      Substance(Tally(), name: "saved", archive: true, in: backend)
    }
    #expect(read.state.counter == 7)
  }

  @Test func `an operation of Flask is no operation of a client that the end of the process loses`() {
    let lock = Flask.lock()
    let own = FluxOperation(OperationIdentity(.refresh, by: .flask), in: .current) { _ in .abort }
    _ = Flux.current.submit(own, isolation: .none)
    tally.mix { $0.counter = 1 }
    #expect(Flux.current.queue.decide { $0.waitingCount } == 2)
    #expect(Flux.current.queue.lossCount == 1)
    Flask.purgeFluxQueue()
    #expect(Flux.current.queue.lossCount == 0)
    lock.release()
  }

  @Test func `a trace of an app shows no source file of Flask`() async throws {
    let trace = Trace(of: .current)
    let history = History(of: tally)
    tally.mix { $0.counter += 1 }
    try await history.optimistic("Add") {
      tally.mix { $0.counter += 1 }
    } confirmedBy: {
    }
    try? await history.optimistic("Add") {
      tally.mix { $0.counter += 1 }
    } confirmedBy: {
      throw Refused()
    }
    history.undo()
    let places = trace.records.map(\.description)
    #expect(places.count > 5)
    #expect(places.filter { $0.contains("FlaskHistory/") || $0.contains("unknown") } == [])
    #expect(
      places.contains { $0.contains("status of a history") && $0.contains("OperationsOfFlaskTests.swift") }
    )
  }

  @Test func `a status in between is announced to who has read it, and is right again`() {
    let history = History(of: tally)
    let (seen, fired) = (Recorder<Bool>(), Recorder<Bool>())
    let lock = Flask.lock()
    tally.mix { $0.counter = 1 }
    Flask.performInFluxQueue {
      withObservationTracking {
        seen.append(history.canUndo)
      } onChange: {
        fired.append(true)
      }
    }
    history.dropStep()
    lock.release()
    #expect(seen.all == [true])
    #expect(!history.canUndo)
    #expect(!history.status.state.canUndo)
    #expect(fired.all == [true])
  }

  @Test func `a revert that waits is lost at the end of the process, and counts`() {
    let lock = Flask.lock()
    for origin in [OperationIdentity.Origin.flask, .promise] {
      let operation = FluxOperation(OperationIdentity(.mix, by: origin), in: .current) { _ in .abort }
      _ = Flux.current.submit(operation, isolation: .none)
    }
    #expect(Flux.current.queue.lossCount == 1)
    Flask.purgeFluxQueue()
    #expect(Flux.current.waitingCount == 2)
    lock.release()
  }

  @Test func `a history leaves substances of another flux, and those that are named twice, alone`() async {
    let far = Flux.$current.withValue(Flux(expecting: .substancesOfDifferentFluxes)) {
      Substance(Tally(), name: "far")
    }
    let (tally, other) = (tally, other)
    let history = History(of: tally, far, tally, other)
    await #expect(throws: Refused.self) {
      try await history.optimistic {
        tally.mix { $0.counter = 1 }
      } confirmedBy: {
        far.mix { $0.text = "theirs" }
        tally.mix { $0.text = "mine" }
        other.mix { $0.counter = 5 }
        throw Refused()
      }
    }
    far.mix { $0.counter += 1 }
    #expect(far.state.text == "theirs")
    #expect(tally.state.counter == 0)
    #expect(tally.state.text == "mine")
    #expect(other.state.counter == 5)
    history.undo()
    #expect(other.state.counter == 0)
  }

  @Test func `a trace names a live view by its elements`() {
    let board = Substance(Board())
    let trace = Trace(of: .current)
    let token = board.view(\.rows).filter { $0.title.isEmpty }.observe { _ in }
    board.mix { $0.rows.remove(id: 3) }
    let names = trace.records.flatMap { $0.changes.map(\.substance) }
    #expect(names.contains("a live view of ListRow"))
    #expect(!names.contains { $0.contains("ViewRows") })
    withExtendedLifetime(token) {}
  }

  private struct Board: Sendable { var rows = Entities((0..<10).map { ListRow(id: $0) }) }

  @Test func `a change that fails is reverted after a travel to the past and back`() async throws {
    let folder = TestFolder()
    let named = Substance(Tally(), name: "tally")
    let recorder = try Recorder(to: folder.url, of: .current, beginningWith: [named])
    let history = History(of: named)
    named.mix { $0.text = "mine" }
    await #expect(throws: Refused.self) {
      try await history.optimistic("Add") {
        named.mix { $0.counter += 1 }
      } confirmedBy: {
        named.mix { $0.maybe = 3 }
        let travel = try await recorder.travel(through: [named])
        try await travel.seek(to: 0)
        #expect(named.state.text == "")
        await travel.end()
        #expect(named.state.counter == 1)
        throw Refused()
      }
    }
    #expect(named.state.counter == 0)
    #expect(named.state.text == "mine")
    #expect(named.state.maybe == 3)
    await recorder.stop()
  }
}
