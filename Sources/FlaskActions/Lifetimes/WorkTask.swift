internal import Dispatch
internal import FlaskPrimitives

/// The common properties of all runs of one work.
struct WorkOrigin: Sendable {
  let flux: Flux
  /// The subject of the substance on whose state the work depends.
  let subject: Subject
  let place: SourcePlace
  /// Receives the errors of the work; without it they are faults.
  let onError: (@Sendable (any Error) -> Void)?

  init(in cell: Cell, at place: SourcePlace, onError: (@Sendable (any Error) -> Void)?) {
    flux = cell.flux
    subject = cell.subject
    self.place = place
    self.onError = onError
  }

  /// Performs `body`: now, or, while a time travel shows a past state, when the present is back.
  func inPresent(of cell: Cell, _ body: @escaping @Sendable () -> Void) {
    if !cell.isInThePast { return body() }
    let operation = FluxOperation(OperationIdentity(.closure, at: place, by: .flask), in: flux) { _ in
      body()
      return .commit
    }
    _ = flux.submit(operation, isolation: .none)
  }

  /// Passes an error to the closure for errors, or reports it.
  func handle(_ error: any Error) {
    // The mixes of the closure are not the work's, which may end with its state.
    if let onError { return WorkRun.outside { onError(error) } }
    flux.report(
      .workFailed,
      "work on \(subject.name) threw \(SafeText.of(error)), which has no handler; catch it in the work, or pass `onError:`",
      at: place
    )
  }
}

/// One run of work, with its task.
final class WorkTask: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var hasReturned = false
  }

  let run: WorkRun
  private let origin: WorkOrigin
  private let cause: OperationCause?
  private let state = Lock(State())

  /// Runs no client code, so it may be called under a lock.
  init(_ origin: WorkOrigin, in set: WorkRunSet? = nil) {
    self.origin = origin
    run = WorkRun(in: set)
    let operation = origin.flux.tracing?.numberHere ?? 0
    cause =
      operation == 0
      ? nil : OperationCause(operation: operation, kind: .effect(WorkTask.self, origin.place))
  }

  deinit { Liveness.observer?.didRemove(ObjectIdentifier(self)) }

  /// Whether the closure of the work is running, or is about to.
  var isRunning: Bool { !run.isEnded && state.withLock { !$0.hasReturned } }

  /// Runs the closure in a task of its own, unless the run has ended.
  func start(_ body: @escaping @Sendable () async throws -> Void) {
    Liveness.observer?.didMake(
      self,
      .work,
      in: origin.flux,
      at: origin.place,
      name: origin.subject.name,
      type: nil,
      holder: nil
    )
    let task = Task(executorPreference: origin.flux.environment?.executor) {
      await Flux.$current.withValue(self.origin.flux) {
        await WorkRun.$current.withValue(self.run) {
          await RunningEffect.$current.withValue(nil) {
            await self.origin.flux.causing(self.cause) { await self.perform(body) }
          }
        }
      }
      self.state.withLock {
        $0.hasReturned = true
        $0.task = nil
      }
      Liveness.observer?.didRemove(ObjectIdentifier(self))
    }
    state.withLock { if !$0.hasReturned { $0.task = task } }
    if run.isEnded { task.cancel() }
  }

  private func perform(_ body: @Sendable () async throws -> Void) async {
    if run.isEnded { return }
    guard let environment = origin.flux.effectEnvironment else { return await performAlone(body) }
    let context = EffectContext(workOn: origin.subject.name, place: origin.place)
    await environment.perform(context) { await self.performAlone(body) }
  }

  private func performAlone(_ body: @Sendable () async throws -> Void) async {
    do { try await body() } catch {
      if !run.isEnded && !(error is CancellationError) { origin.handle(error) }
    }
  }

  /// Marks the run as ended: nothing that it submits is performed from now on. Runs no client code.
  func markEnded() { run.markEnded() }

  /// Cancels the task, drops what the run has queued, and releases its locks. Call after `markEnded()`, without a lock.
  func finish() {
    Liveness.observer?.didRemove(ObjectIdentifier(self))
    run.cleanUp()
    state.withLock(\.task)?.cancel()
  }
}

extension WorkOrigin {
  /// Drops the queued operations of ended runs, releases their locks, and cancels their tasks. More than 16 tasks are
  /// cancelled on another thread, so that the commit that has ended them need not wait.
  func finish(_ tasks: [WorkTask]) {
    if tasks.count <= 16 { return tasks.forEach { $0.finish() } }
    for task in tasks { task.run.cleanUp() }
    finishLater { for task in tasks { task.finish() } }
  }

  /// Performs `body` on another thread, 2 ms later, when the operation in progress has most likely ended. Started at
  /// once, the other thread slows the removal of 10,000 rows from 113 to 158 µs. In a test it is performed at once.
  func finishLater(_ body: @escaping @Sendable () -> Void) {
    if flux.environment != nil { return body() }
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + .milliseconds(2), execute: body)
  }
}
