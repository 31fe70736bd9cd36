internal import FlaskPrimitives
internal import Synchronization

/// Work that ends with the run of the work that has registered it.
package protocol EndsWithRun: AnyObject, Sendable {
  func end()
}

/// One run of a closure that was passed to `whilePresent` or similar, and lives as long as a piece of state ("work").
/// After the end of the run, no operation that it has submitted is performed, and no lock that it has taken is held.
///
/// The task of the work and its child tasks have the run as a task-local value, and so have the tasks that they start
/// with `Task { … }`. A detached task has not. Operations get the run of the code that submits them. While an operation
/// is performed, no run is current: what reactors and observers submit is not the work's.
///
/// ```text
/// the work                       the performer
/// submits a mix ────────────►    performs another operation,
///                                whose commit removes the state:
///                                end()
///                                the mix is next: it is dropped, `cancelled`
/// ```
///
/// `@unchecked Sendable`:
/// - Invariant: atomic, or behind the lock.
/// - If violated: a data race.
package final class WorkRun: @unchecked Sendable {
  /// The run to which the running task belongs.
  @TaskLocal package static var current: WorkRun?

  /// The number of runs that exist. While it is 0, no operation looks for its run.
  private static let count = Atomic<Int>(0)

  /// Not a reference by itself: see `Lock`.
  private struct HeldLock { weak var lock: FluxLock? }
  private struct WeakWork { weak var work: (any EndsWithRun)? }

  private struct State {
    var locks: [HeldLock] = []
    /// The fluxes in which operations of the run were queued.
    var fluxes: [Flux] = []
    /// The work that the run has registered.
    var inner: [WeakWork] = []
  }

  private let ended = Atomic<Bool>(false)
  private let state = Lock(State())
  private let used = Atomic<Bool>(false)
  private let set: WorkRunSet?

  /// - Parameter set: runs that end together with this one.
  package init(in set: WorkRunSet? = nil) {
    self.set = set
    WorkRun.count.add(1, ordering: .relaxed)
  }

  deinit { WorkRun.count.subtract(1, ordering: .relaxed) }

  /// The run of the running code, if it has one. A task-local value is searched for only if any run exists.
  @inline(__always)
  package static var here: WorkRun? { count.load(ordering: .relaxed) == 0 ? nil : current }

  /// Performs `body`, whose submissions belong to no run.
  @inline(__always)
  package static func outside(_ body: () -> Void) {
    if here == nil { body() } else { $current.withValue(nil, operation: body) }
  }

  // Sequentially consistent: an operation of any flux that begins after the end sees it.
  package var isEnded: Bool {
    ended.load(ordering: .sequentiallyConsistent) || set?.isEnded ?? false
  }

  /// Marks the run as ended. An operation that begins after this call is not performed. Runs no client code.
  ///
  /// - Returns: `false` if it had ended before.
  @discardableResult
  package func markEnded() -> Bool { !ended.exchange(true, ordering: .sequentiallyConsistent) }

  /// Drops the queued operations of the run, and releases its locks. Call it after `markEnded()`, without a lock.
  package func cleanUp() {
    if !used.load(ordering: .sequentiallyConsistent) { return }
    set?.remove(self)
    let left = state.withLock { state in
      defer { state = State() }
      return state
    }
    for flux in left.fluxes { flux.dropEnded() }
    for entry in left.locks { entry.lock?.release(isolation: nil) }
    for entry in left.inner { entry.work?.end() }
  }

  private func willUse() {
    if !used.exchange(true, ordering: .sequentiallyConsistent) { set?.add(self) }
  }

  /// An operation of the run has been queued. Called under the lock of the queue.
  func didQueue(in flux: Flux) {
    willUse()
    state.withLock { state in
      if !state.fluxes.contains(where: { $0 === flux }) { state.fluxes.append(flux) }
    }
  }

  /// The run has taken a lock, which is released with the end of the run, at once if the run has ended.
  func hold(_ lock: FluxLock) {
    if isEnded { return lock.release(isolation: nil) }
    willUse()
    state.withLockReleasing { state -> [FluxLock] in
      let locks = state.locks.compactMap(\.lock)
      state.locks = (locks.filter(\.isHeld) + [lock]).map { HeldLock(lock: $0) }
      return locks
    }
    if isEnded { cleanUp() }
  }

  /// The run has registered work, which ends with the run, at once if the run has ended.
  package func adopt(_ work: any EndsWithRun) {
    if isEnded { return work.end() }
    willUse()
    state.withLockReleasing { state -> [any EndsWithRun] in
      let living = state.inner.compactMap(\.work)
      state.inner = (living + [work]).map { WeakWork(work: $0) }
      return living
    }
    if isEnded { cleanUp() }
  }
}

/// Runs that can be ended together, at once: those of the members of a container.
package final class WorkRunSet: Sendable {
  private let ended = Atomic<Bool>(false)
  /// The runs that have queued operations or taken locks.
  private let used = Lock<[ObjectIdentifier: WorkRun]>([:])

  package init() {}

  var isEnded: Bool { ended.load(ordering: .sequentiallyConsistent) }

  /// Marks all runs as ended. Runs no client code.
  package func markEnded() { ended.store(true, ordering: .sequentiallyConsistent) }

  /// Drops the queued operations of the runs, and releases their locks, after `markEnded()`.
  package func cleanUp() {
    let runs = used.withLock { used in
      defer { used = [:] }
      return used
    }
    for run in runs.values { run.cleanUp() }
  }

  fileprivate func add(_ run: WorkRun) { used.withLock { $0[ObjectIdentifier(run)] = run } }

  /// Removes a run that has ended alone. The caller retains it.
  fileprivate func remove(_ run: WorkRun) { used.withLock { $0[ObjectIdentifier(run)] = nil } }
}

extension Flux {
  /// Drops the queued operations of work that has ended.
  fileprivate func dropEnded() {
    for dropped in queue.decide({ $0.purge { $0.isOfEndedWork } }) { dropped.drop(as: .cancelled) }
  }
}
