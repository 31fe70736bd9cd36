import FlaskPrimitives
@testable import FlaskActions
import FlaskArchive
import Foundation

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// Everything that an entry point can be tried on, made anew for each pair of the matrix.
///
/// `@unchecked Sendable`: constant but for `tasks` and `isCalled`, which guard themselves.
final class Stage: @unchecked Sendable {
  let flux: Flux
  let backend = MatrixBackend()
  let tally: Substance<ProbedState>
  let other: Substance<Tally>
  let clerk: Clerk
  let caller: Caller
  let store: TallyStore
  let dispatcher: FluxDispatcher
  let middleware = FluxMiddleware()
  let owner = KeysListener()
  let reactor: Reactor<KeysListener>
  let heard = Recorder<Int>()
  let faults = Recorder<FlaskFault>()
  let observation: SubstanceObservation
  let receipt: FluxReceipt
  /// What was begun and is waited for.
  let tasks = Recorder<Task<Void, Never>>()
  /// Holds what the entry points make.
  let kept = Recorder<any Sendable>()

  private let entry: Entry
  private let calls = Recorder<Void>()
  private let called = NSLock()
  private nonisolated(unsafe) var hasBegun = false

  init(_ entry: Entry) {
    self.entry = entry
    let flux = Flux()
    self.flux = flux
    let (faults, heard, backend) = (faults, heard, backend)
    flux.onFault = { faults.append($0) }
    let hook = LockedBody()
    (tally, other, clerk, caller, store, dispatcher) = Flux.$current.withValue(flux) {
      (
        Substance<ProbedState>(name: "stage", archive: true, in: backend), Substance<Tally>(name: "other"),
        Clerk(),
        Caller { hook.call() }, TallyStore(), flux.dispatcher
      )
    }
    self.hook = hook
    reactor = Flux.$current.withValue(flux) { [tally, other, owner] in
      Flask.attachReactor(to: owner, mixing: [tally, other], isolation: nil)
    }
    observation = tally.observe(key: "counter", isolation: nil) { change in
      heard.append(change.newValue() ?? -1)
    }
    receipt = reactor.mix(other) { $0.prop.counter = 1 }.react(isolation: nil)
    middleware.registerHandler(for: Pong.self) { _ in hook.call() }
    dispatcher.register(workers: [store, middleware])
  }

  /// What the mixer and the handler of the stage call.
  let hook: LockedBody

  /// Whether the entry point was called.
  var isCalled: Bool { calls.count > 0 }

  /// Fires when the entry point has returned.
  let returned = Signal()

  /// Calls the entry point, the first time.
  func call() {
    let isFirst = called.withLock {
      defer { hasBegun = true }
      return !hasBegun
    }
    if !isFirst { return }
    entry.body(self)
    calls.append(())
    returned.fire()
  }

  /// Has an asynchronous entry point performed in a task, which is waited for.
  func begin(_ body: @escaping @Sendable () async -> Void) { tasks.append(Task { await body() }) }

  /// Mixes a number of its own.
  @discardableResult
  func mix(_ body: @escaping @Sendable (Substance<ProbedState>) throws -> Void) -> FluxReceipt {
    let reactor = Flask.reactor(attachedTo: owner, mixing: tally, isolation: nil)
    return reactor.mix(tally, body).react(isolation: nil)
  }

  /// What is wrong after the pair; `nil` if nothing is.
  func verdict() async -> String? {
    if !called.withLock({ hasBegun }) { return "was not called" }
    // Perhaps on another thread. If it never returns, the watchdog says so.
    await returned.wait()
    for task in tasks.take() { await task.value }
    flux.removeLocks(isolation: nil)
    _ = await flux.performInFluxQueue(isolation: nil) {}.outcome
    if flux.waitingCount > 0 { return "\(flux.waitingCount) operations wait for ever" }
    let before = tally.state.counter
    let probe = Recorder<Int>()
    let token = tally.observe(key: "counter", isolation: nil) { probe.append($0.newValue() ?? -1) }
    let outcome = await mix { $0.prop.counter += 1 }.outcome
    token.cancel()
    if "\(outcome)" != "committed(counter)" { return "a later mix is \(outcome)" }
    if tally.state.counter != before + 1 || probe.all != [before + 1] { return "a later mix is not heard" }
    dispatcher.unregisterAll()
    return nil
  }
}

/// A closure behind a lock.
final class LockedBody: @unchecked Sendable {
  // `@unchecked`: `body` is touched under `lock` only.
  private let lock = NSLock()
  private var body: (@Sendable () -> Void)?

  func set(_ new: (@Sendable () -> Void)?) {
    let old = lock.withLock {
      let old = body
      body = new
      return old
    }
    withExtendedLifetime(old) {}
  }

  func call() {
    let body = lock.withLock { self.body }
    body?()
  }
}

/// One public entry point.
struct Entry: Sendable {
  let name: String
  let body: @Sendable (Stage) -> Void

  init(_ name: String, _ body: @escaping @Sendable (Stage) -> Void) {
    self.name = name
    self.body = body
  }
}

/// One place from which entry points are called.
struct Context: Sendable {
  let name: String
  let enter: @Sendable (Stage) async -> Void

  init(_ name: String, _ enter: @escaping @Sendable (Stage) async -> Void) {
    self.name = name
    self.enter = enter
  }
}
