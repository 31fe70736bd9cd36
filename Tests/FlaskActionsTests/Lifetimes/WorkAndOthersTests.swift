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
}
