@testable import FlaskActions
import FlaskPrimitives
import Foundation
import Observation

@testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

extension Context {
  /// Where no operation is in progress, or on the caller's behalf.
  static let places: [Context] = [
    Context("the main actor") { stage in await Task { @MainActor in stage.call() }.value },
    Context("a background thread") { stage in await OtherThread.run { stage.call() } },
    Context("a task") { stage in await Task { stage.call() }.value },
    Context("an actor") { stage in await QueueRoom().perform { _ in stage.call() } },
    Context("while locked") { stage in
      let lock = stage.flux.lock()
      stage.mix { $0.prop.counter += 10 }
      stage.call()
      lock.release(isolation: nil)
    },
    Context("inside withLock") { stage in await stage.flux.withLock { stage.call() } },
    Context("while draining") { stage in
      let (isIn, mayGo) = (Signal(), Gate())
      async let draining: Void = OtherThread.run {
        stage.mix {
          $0.prop.counter += 10
          isIn.fire()
          mayGo.wait()
        }
        return
      }
      await isIn.wait()
      await OtherThread.run { stage.call() }
      mayGo.open()
      await draining
      if stage.tally.state.counter < 10 { report("the mix in progress was lost") }
    },
    Context("onRelease of a lock") { stage in
      let lock = stage.flux.lock()
      lock.onRelease = { _ in stage.call() }
      lock.release(isolation: nil)
    },
    Context("a handler of faults") { stage in
      stage.flux.onFault = { _ in stage.call() }
      _ = stage.other.observe(key: "no key", isolation: nil) { _ in }
      stage.flux.onFault = nil
    },
    Context("an observation of a state") { stage in
      let called = Signal()
      withObservationTracking {
        _ = stage.tally.state.counter
      } onChange: {
        stage.call()
        // Called again by what is mixed here, before the first call has returned.
        if stage.isCalled { called.fire() }
      }
      stage.mix { $0.prop.counter += 1 }
      await called.wait()
    },
    Context("a deinit of a state's value, in a mix") { stage in
      await changed(stage) {
        $0.prop.token = LastWords { stage.call() }
        $0.prop.token = nil
        $0.prop.counter += 10
      }
    },
    Context("a deinit of a state's value, after a commit") { stage in
      await changed(stage) {
        $0.prop.token = LastWords { stage.call() }
        $0.prop.counter += 10
      }
      stage.mix { $0.prop.token = nil }
      stage.mix { $0.prop.counter += 1 }
    },
    Context("a deinit of a handler") { stage in
      let reactor = Flask.reactor(attachedTo: stage.owner, mixing: stage.tally, isolation: nil)
      handle(reactor, holding: LastWords { stage.call() })
      stage.mix { $0.prop.counter += 1 }
      reactor.handler = nil
      stage.mix { $0.prop.counter += 1 }
    },
    Context("a deinit of an observer") { stage in
      observe(stage, holding: LastWords { stage.call() }).cancel()
      stage.mix { $0.prop.counter += 1 }
    },
    Context("a deinit of an owner") { stage in
      do {
        let owner = Ender { stage.call() }
        Flask.reactor(attachedTo: owner, mixing: stage.tally, isolation: nil)
      }
      ReactorManager.purge()
    },
    Context("a deinit of a backend") { stage in
      Flask.defaultArchive = EndingArchive(LastWords { stage.call() })
      Flask.defaultArchive = MemoryArchive()
    },
    Context("hash(into:) of an effect's identifier") { stage in
      Probe.answer.set(.hash) { stage.call() }
      stage.dispatcher.cancelEffects(id: Probe(7))
    },
    Context("== of a state's value") { stage in
      Probe.answer.set(.equal) { stage.call() }
      await changed(stage) {
        $0.prop.probe = Probe(1)
        $0.prop.counter += 10
      }
    },
    Context("description of an error") { stage in
      Probe.answer.set(.describe) { stage.call() }
      stage.middleware.registerEffect(for: Found.self) { _, _ in throw ProbingError() }
      await stage.dispatcher.dispatch(Found(text: ""), isolation: nil).finished
    },
    Context("description of a change") { stage in
      Probe.answer.set(.describe) { stage.call() }
      let token = stage.tally.observe(key: "probe", isolation: nil) { stage.kept.append("\($0)") }
      stage.mix { $0.prop.probe = Probe(2) }
      token.cancel()
    },
    Context("encode(to:)") { stage in
      Probe.answer.set(.encode) { stage.call() }
      stage.tally.archiveNow()
    },
    Context("encode(to:), saved without blocking") { stage in
      Probe.answer.set(.encode) { stage.call() }
      stage.mix { $0.prop.counter += 1 }
      await stage.tally.archiveNow()
    },
    Context("init(from:)") { stage in
      stage.tally.archiveNow()
      Probe.answer.set(.decode) { stage.call() }
      stage.kept.append(Substance<ProbedState>(name: "stage", archive: true, in: stage.backend))
    },
    backend(.load) { stage in
      stage.kept.append(Substance<ProbedState>(name: "loaded", archive: true, in: stage.backend))
    },
    backend(.save) { stage in
      stage.mix { $0.prop.counter += 1 }
      stage.tally.archiveNow()
    },
    backend(.remove) { stage in stage.tally.purgeArchive() },
    backend(.location) { stage in
      stage.kept.append(Substance<ProbedState>(name: "located", archive: true, in: stage.backend))
    },
  ]

  /// At the end of the process: the parent sees whether it ends.
  static let atExit = Context("the end of the process") { stage in
    stage.call()
  }

  private static func backend(_ method: MatrixBackend.Method, _ body: @escaping @Sendable (Stage) -> Void)
    -> Context
  {
    Context("\(method) of a backend") { stage in
      stage.backend.set(method) { stage.call() }
      await OtherThread.run { body(stage) }
      stage.backend.set(nil)
    }
  }

  private static func handle(_ reactor: Reactor<KeysListener>, holding words: LastWords) {
    reactor.handler = { _, _ in withExtendedLifetime(words) {} }
  }

  private static func observe(_ stage: Stage, holding words: LastWords) -> SubstanceObservation {
    stage.tally.observe(key: "counter", isolation: nil) { _ in withExtendedLifetime(words) {} }
  }
}

/// An owner that calls a closure at its end.
private final class Ender {
  private let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  deinit { body() }
}

/// A backend that calls a closure at its end.
private final class EndingArchive: ArchiveBackend {
  private let archive = MemoryArchive()
  private let words: LastWords

  init(_ words: LastWords) { self.words = words }
  func load(_ key: String) throws -> Data? { archive.load(key) }
  func save(_ data: Data, for key: String) throws { archive.save(data, for: key) }
  func remove(_ key: String) throws { archive.remove(key) }
  func keys(withPrefix prefix: String) throws -> [String] { archive.keys(withPrefix: prefix) }
}
