internal import FlaskPrimitives

/// Reports operations, locks and queues that exceed their budget: a `FlaskFault` names source location and cause, once
/// for each location. Nothing is interrupted.
///
/// ```swift
/// let watch = BudgetWatch(Budgets(operation: .milliseconds(16)))
/// ```
/// The watch ends with `stop()`, or when it is released. An operation is checked when it ends, and while it is in
/// progress in intervals of a quarter of the smallest budget (10 ms to a second). Locks are checked in the same
/// intervals, so they are reported with this delay. A lock that is held, has no timeout, and is referenced by the flux
/// only can never be released. It is reported when an operation has to wait for it, or at the next interval. (Code that
/// releases it by `flux.locks`, `removeLocks()` or a weak reference has to keep a reference instead.)
///
/// The flux is traced in the meantime, so each of its mixes takes some hundred nanoseconds more.
public final class BudgetWatch: Sendable {
  private let watcher: BudgetWatcher
  private let task: Task<Void, Never>

  /// A watch over a flux.
  ///
  /// - Parameters:
  ///   - budgets: the limits.
  ///   - flux: the flux to watch; `nil` for the current flux.
  ///   - clock: the clock of the intervals.
  public init(
    _ budgets: Budgets = Budgets(),
    of flux: Flux? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    let flux = flux ?? Flux.current
    let watcher = BudgetWatcher(budgets, flux)
    self.watcher = watcher
    flux.tracers.add(watcher)
    let interval = budgets.interval
    task = Task {
      while true {
        do { try await clock.sleep(for: interval) } catch { return }
        watcher.check(after: interval)
      }
    }
  }

  deinit { stop() }

  /// Checks now, in addition to the checks at intervals, for locks that can never be released.
  public func check() { watcher.check(after: .zero) }

  /// Ends watching. Idempotent.
  public func stop() {
    task.cancel()
    watcher.flux.tracers.remove(watcher)
  }
}

/// Checks locks and operations. It stores which of them were reported, and for how long each lock and the operation in
/// progress have been seen.
final class BudgetWatcher: FluxTracer {
  private struct State {
    /// The time for which each lock has been seen held. Each check removes the released locks.
    var locks: [SeenLock: Duration] = [:]
    /// The operation in progress.
    var present: (number: Int, identity: OperationIdentity, submission: OperationSubmission)?
    /// The number of the operation that was in progress at the last check; 0 if there was none. `seen` is the time for
    /// which it has been seen in progress.
    var operation = 0
    var seen = Duration.zero
    /// The reported source locations.
    var places: Set<String> = []
    var reportedOperation = 0
    var reportedLocks: Set<SeenLock> = []
    var isQueueReported = false
  }

  /// A reference to a lock that does not retain it: a retained lock would never be abandoned.
  private struct SeenLock: Hashable {
    let identity: ObjectIdentifier
    let taken: UInt64

    init(_ lock: FluxLock) {
      identity = ObjectIdentifier(lock)
      taken = lock.taken
    }
  }

  /// The watched flux. It retains this tracer until the watch ends.
  let flux: Flux
  private let budgets: Budgets
  private let rules = RedactionRules([])
  private let state = Lock(State())

  init(_ budgets: Budgets, _ flux: Flux) {
    self.budgets = budgets
    self.flux = flux
  }

  // MARK: By tracing

  var wantsBeginnings: Bool { true }

  func didBegin(_ operation: borrowing TracedOperation) {
    let present = (operation.number, operation.identity, operation.submission)
    state.withLock { $0.present = present }
  }

  func didEnd(_ operation: borrowing TracedOperation) {
    let number = operation.number
    let wasReported = state.withLock { state in
      if state.present?.number == number { state.present = nil }
      return state.reportedOperation == number
    }
    guard let budget = budgets.operation, operation.begun < operation.ended else { return }
    let duration = Duration.nanoseconds(operation.ended - operation.begun)
    guard duration > budget else { return }
    if wasReported { return }
    report(operation.identity, operation.submission, "took \(duration), more than its budget of \(budget)")
  }

  func didWait(_ operation: OperationIdentity, _ submission: OperationSubmission, in flux: Flux) {
    guard let budget = budgets.waiting else { return }
    let count = flux.waitingCount
    let isNew = state.withLock { state in
      if count * 2 <= budget { state.isQueueReported = false }
      if count <= budget || state.isQueueReported { return false }
      state.isQueueReported = true
      return true
    }
    if !isNew { return }
    let locks = flux.locks.map { "the lock taken at \($0.fileID):\($0.line)" }
    let reason = locks.isEmpty ? "for the operation in progress" : "for " + locks.joined(separator: " and ")
    flux.report(
      .overBudget,
      "\(count) operations wait \(reason), more than the budget of \(budget); the last one is \(title(operation, submission))",
      at: operation.place
    )
  }

  // MARK: By the clock

  /// Checks locks and operations. The last check was `interval` ago.
  func check(after interval: Duration) {
    flux.reportAbandonedLocks()
    checkOperation(after: interval)
    guard let budget = budgets.lock else { return }
    let held = flux.locks
    let late = state.withLock { state -> [FluxLock] in
      var ages: [SeenLock: Duration] = [:]
      for lock in held.map(SeenLock.init) { ages[lock] = state.locks[lock].map { $0 + interval } ?? .zero }
      state.locks = ages
      state.reportedLocks.formIntersection(ages.keys)
      return held.filter { lock in
        ages[SeenLock(lock), default: .zero] >= budget && state.reportedLocks.insert(SeenLock(lock)).inserted
      }
    }
    for lock in late {
      let waiting = flux.waitingCount
      flux.report(
        .overBudget,
        "the lock taken at \(lock.fileID):\(lock.line) is held for longer than its budget of \(budget), and \(waiting) operations "
          + "wait for it; call `release()` on every way out, or use `Flask.withLock`",
        at: lock.location
      )
    }
  }

  private func checkOperation(after interval: Duration) {
    let present = state.withLock { $0.present }
    guard let budget = budgets.operation else { return }
    let isLate = state.withLock { state in
      guard let number = present?.number, number == state.operation else {
        state.operation = present?.number ?? 0
        state.seen = .zero
        return false
      }
      state.seen += interval
      if state.seen < budget || state.reportedOperation == number { return false }
      state.reportedOperation = number
      return true
    }
    guard isLate, let present else { return }
    report(
      present.identity,
      present.submission,
      "is in progress for longer than its budget of \(budget), and everything else waits for it"
    )
  }

  // MARK: Reporting

  private func title(_ identity: OperationIdentity, _ submission: OperationSubmission) -> String {
    identity.title(rules) + (submission.cause.map { ", " + OperationRecord.Cause($0, rules).title } ?? "")
  }

  private func report(
    _ identity: OperationIdentity,
    _ submission: OperationSubmission,
    _ what: String
  ) {
    // An operation is identified by its kind and its source location, and not by its name. A name may contain text of a
    // user, so that each operation would have a new name, and would be reported.
    let place = OperationRecord.title(
      identity.recordKind,
      name: nil,
      at: OperationRecord.Place(identity.place)
    )
    if !state.withLock({ $0.places.insert(place).inserted }) { return }
    flux.report(.overBudget, "\(self.title(identity, submission)) \(what)", at: identity.place)
  }
}
