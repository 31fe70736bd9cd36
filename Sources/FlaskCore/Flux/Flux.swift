internal import Dispatch
package import FlaskPrimitives
internal import Synchronization

/// The serial queue that orders everything: mixes, global mixers, actions and closures.
///
/// The flux performs operations one at a time, in the order of their submission, whichever threads submit them. If it
/// is idle and unlocked, an operation is performed on the submitting thread before the call returns; else it is
/// enqueued, and the thread that drains the queue performs it. Operations submitted from inside an operation are
/// performed after its reactions have been delivered: never nested. After a batch of 1,024 operations the draining
/// thread passes the rest to a separate queue. When the process ends normally, queued operations are performed first.
///
/// `Flask.bus` is the shared flux. A separate flux isolates a test, a scene or a library:
///
/// ```swift
/// let flux = Flux()
/// Flux.$current.withValue(flux) { … }  // substances made here belong to it
/// ```
public final class Flux: Sendable {
  /// The flux of substances that are made in this scope, and of calls such as `Flask.lock()`.
  ///
  /// Inside an operation it is the flux of that operation: in mixes, mixers, reactions, observers, effects, and in each
  /// `deinit` that they set off, whatever thread performs it. Elsewhere it is `Flask.bus`, unless set with
  /// `Flux.$current.withValue(_:)`.
  @TaskLocal public static var current: Flux = Flux.shared

  /// The flux behind `Flask.bus`.
  package static let shared = Flux(isShared: true)

  /// The number of operations that one thread performs before it passes the remaining operations to another thread.
  static let batch = 1024

  /// Whether a flux other than the shared one was ever made. Until then the lookup of the current flux is skipped.
  static let hasMultipleFluxes = Atomic<Bool>(false)

  /// Whether an operation was ever marked by `marking`. Until then no operation searches for its mark, which saves
  /// time.
  static let areMarked = Atomic<Bool>(false)

  package let queue: FluxQueue
  /// The lock that a reader holds while it gets the committed state of a substance of this flux. The thread that
  /// performs an operation over several substances holds it while it publishes their drafts. The lock of the queue may
  /// be taken while this lock is held.
  ///
  /// It also guards the restore points of substances, their present states during a replay, and what archives save.
  /// Further it guards the counts of `Cell.retainNotices()`, and the list of commits that wait for listeners.
  package let snapshotLock: Lock<Void>
  package let drafts: OperationDrafts
  /// The leaf lock of this flux: under it no other lock is taken. Guards the tasks that wait for outcomes, the names of
  /// substances, and the pending commits of reactors.
  let leafLock = Lock(())
  /// The tracers of the flux; empty until the flux is traced for the first time.
  package let tracingSlot = MadeOnce<Held<any FluxTracing>>()
  /// The replacement for the system's clock, executor and archive; `nil` for the system's own.
  package let environment: (any FluxEnvironment)?
  private let faults = FaultHandler(nil)
  package let stateKeepers = StateKeepers()
  /// Objects that other modules attach to the flux, by type.
  private let attachments = Lock<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  /// A separate flux, idle and unlocked.
  public convenience init() { self.init(isShared: false) }

  /// A separate flux with a clock, an executor and an archive that replace the system's.
  package convenience init(environment: any FluxEnvironment) {
    self.init(isShared: false, environment: environment)
  }

  private init(isShared: Bool, environment: (any FluxEnvironment)? = nil) {
    self.environment = environment
    snapshotLock = Lock(())
    queue = FluxQueue()
    drafts = OperationDrafts(queue: queue, snapshotLock: snapshotLock)
    if !isShared { Flux.hasMultipleFluxes.store(true, ordering: .sequentiallyConsistent) }
    FluxExit.shared.add(queue)
  }

  deinit { FluxExit.shared.remove(queue) }

  /// Called with each fault of this flux, on the thread on which the fault happens. If `nil`, `Flask.onFault` is
  /// called.
  ///
  /// It may read and mix: it reads committed states, and no derived value depends on its reads. A fault that it causes
  /// itself is written to standard error.
  public var onFault: (@Sendable (FlaskFault) -> Void)? {
    get { faults.current }
    set { faults.current = newValue }
  }

  /// The number of queued operations.
  public var waitingCount: Int { queue.decide { $0.waitingCount } }

  /// Performs `body` in the flux, in order with the mixes: at once if the flux is idle and unlocked, otherwise later,
  /// on the thread that drains the queue. Mixes submitted by `body` are performed after it.
  @discardableResult
  @available(swift, introduced: 6)
  public func performInFluxQueue(
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable () -> Void
  ) -> FluxReceipt {
    let options = MixOptions(isolation, fileID, line)
    return perform(OperationIdentity(.closure, at: options.place), isolation: options.isolation) { _ in
      body()
      return .commit
    }
  }

  /// Suspends until the operation in progress and the operations that are queued now have been performed. Returns at
  /// once if no operation is in progress. A cancellation of the task does not end the wait.
  ///
  /// While the flux is locked, only the operation in progress is awaited. Queued operations wait for the lock, which
  /// the caller itself may hold.
  package func passed() async {
    let mark = FluxOperation(OperationIdentity(.closure, by: .flask), in: self) { _ in .abort }
    // The operation `mark` changes nothing: it marks a position in the queue. It is queued only while another operation
    // is in progress, so that the thread that drains the queue performs it. If this thread performed it, this thread
    // would also have to perform the operations that are queued in the meantime.
    let isWaiting = queue.decide { queue in
      guard queue.isBusy else { return false }
      if queue.locks.isEmpty {
        mark.enterQueue()
        queue.enqueue(mark)
      } else {
        // No lock suspends the lane of replays, so the mark is performed right after the operation in progress.
        mark.willBePerformed()
        _ = queue.enter(mark)
      }
      return true
    }
    if isWaiting { await mark.ended() }
  }

  /// Drops all queued operations that clients have submitted, except those of a replay. The receipts of dropped
  /// operations have the outcome `purged`. The operation in progress continues. Locks are kept, except the locks that
  /// came with a dropped operation.
  ///
  /// Flask's own operations are kept, since something would be wrong without them: refreshes of derived values, states
  /// that come from archives, the status of a history, and the confirmation or the revert of an optimistic change.
  public func purgeFluxQueue() {
    for dropped in queue.decide({ $0.purge { $0.isOfClient } }) { dropped.drop() }
  }

  /// Drops the first queued operation of a client for which `isIt` returns `true`.
  ///
  /// - Returns: `false` if no queued operation satisfies the condition.
  package func dropFirstWaiting(where isIt: (FluxOperation) -> Bool) -> Bool {
    guard let dropped = queue.decide({ $0.removeFirst { $0.isOfClient && isIt($0) } }) else { return false }
    dropped.drop()
    return true
  }

  // MARK: Beside the flux

  /// Returns the object of type `Object` that is attached to this flux. The flux has at most one object of each type,
  /// which is made on first use and retained by the flux.
  package func attachment<Object: AnyObject & Sendable>(_ make: (Flux) -> Object) -> Object {
    let key = ObjectIdentifier(Object.self)
    if let found = attachments.withLock({ $0[key] }) as? Object { return found }
    let new = make(self)
    return attachments.withLock { attachments in
      if let other = attachments[key] as? Object { return other }
      attachments[key] = new
      return new
    }
  }

  /// The record of faults that are reported only once for each type.
  package var once: ReportedTypes { attachment { _ in ReportedTypes() } }

  /// Whether the current flux is another flux than this one.
  @inline(__always)
  package var isAnotherCurrent: Bool { Flux.hasMultipleFluxes.load(ordering: .relaxed) && !isCurrent }

  @inline(never)
  var isCurrent: Bool { Flux.current === self }

  /// Performs `body` with this flux as the current flux.
  @inline(__always)
  package func withCurrent<Result>(_ body: () -> Result) -> Result {
    isAnotherCurrent ? Flux.$current.withValue(self, operation: body) : body()
  }

  // MARK: Faults

  package func report(_ kind: FlaskFault.Kind, _ message: String, at location: SourcePlace) {
    report(FlaskFault(kind, message, at: location))
  }

  package func report(_ fault: FlaskFault) {
    // `suspended`: the handler reads committed states, and no derived value depends on its reads. `outside`: operations
    // that the handler submits do not end with the work that has caused the fault.
    CurrentReader.suspended {
      WorkRun.outside {
        if let onFault { FaultHandler.perform(onFault, with: fault) } else { FaultHandler.report(fault) }
      }
    }
  }
}
