internal import Synchronization

/// The bookkeeping of an action while its workers are asked. Each flux has one route.
///
/// `@unchecked Sendable`:
/// - Isolation: the thread that performs the flux's operation in progress, which `thread` names; `thread` itself is
///   atomic.
/// - Invariant: no two accesses overlap, so the dynamic checks of exclusive access are disabled.
/// - If violated: a data race.
final class ActionRoute: @unchecked Sendable {
  /// A substance that was asked to answer an action, and the type of that action.
  struct Asked: Hashable {
    let substance: ObjectIdentifier
    let type: ObjectIdentifier
  }

  /// The dispatcher with which the action was dispatched. The operation, or the caller of `dispatch`, retains it.
  @exclusivity(unchecked) private var borrowedRoot: UnretainedReference<FluxDispatcher>?
  /// The dispatcher that is asking its workers: the dispatcher of the action, or a dispatcher nested in it. The
  /// former is retained as `borrowedRoot` is, and a list of workers retains a nested dispatcher.
  @exclusivity(unchecked) private var borrowedDispatcher: UnretainedReference<FluxDispatcher>?
  /// The worker that is being asked. It is retained by the list that its dispatcher walks.
  @exclusivity(unchecked) var borrowedWorker: UnretainedReference<WorkerLink>?
  @exclusivity(unchecked) var asked: Set<Asked> = []
  /// The effects that the workers of the action have requested. They are started when the changes of the action have
  /// been committed.
  @exclusivity(unchecked) private var starts: [EffectRequest] = []
  @exclusivity(unchecked) private var tracker: ActionTracker?
  /// Whether any worker or substance has answered the action, or may have.
  @exclusivity(unchecked) var isAnswered = false
  private let thread = Atomic<UInt>(0)

  /// Begins the bookkeeping of an action that was dispatched with `dispatcher`. The caller must retain the dispatcher
  /// until `end()`.
  func begin(_ dispatcher: FluxDispatcher, tracker: ActionTracker?) {
    borrowedRoot = UnretainedReference(dispatcher)
    self.tracker = tracker
    isAnswered = false
    thread.store(ThreadIdentity.current, ordering: .relaxed)
  }

  /// Ends the bookkeeping of the action.
  ///
  /// - Returns: the tracker that counts the action, if it has one.
  func end() -> ActionTracker? {
    thread.store(0, ordering: .relaxed)
    borrowedRoot = nil
    borrowedDispatcher = nil
    borrowedWorker = nil
    if !asked.isEmpty { asked.removeAll() }
    if !starts.isEmpty { starts.removeAll() }
    return tracker.take()
  }

  /// Whether the running thread is performing an action of this flux.
  var isRunningHere: Bool { thread.load(ordering: .relaxed) == ThreadIdentity.current }

  /// Returns the tracker of the action in progress; makes one if it has none.
  func trackerMade() -> ActionTracker {
    if let tracker { return tracker }
    let new = ActionTracker()
    tracker = new
    return new
  }

  // MARK: Workers

  /// The dispatcher that is asking its workers.
  var dispatcher: FluxDispatcher? { borrowedDispatcher?.object }
  /// The dispatcher with which the action was dispatched.
  var root: FluxDispatcher? { borrowedRoot?.object }
  /// The registered worker that is being asked.
  var worker: (any FluxWorker)? { borrowedWorker?.object.worker }

  /// Calls `body`, in which `dispatcher` asks its workers. `dispatcher` is recorded as the asking one until `body`
  /// returns.
  @inline(__always)
  func asking<Result>(by dispatcher: FluxDispatcher, _ body: () throws -> Result) rethrows -> Result {
    let outer = (dispatcher: borrowedDispatcher, worker: borrowedWorker)
    borrowedDispatcher = UnretainedReference(dispatcher)
    defer {
      borrowedDispatcher = outer.dispatcher
      borrowedWorker = outer.worker
    }
    return try body()
  }

  // MARK: Effects

  func add(_ start: EffectRequest) { starts.append(start) }

  func takeStarts() -> [EffectRequest] {
    if starts.isEmpty { return [] }
    defer { starts = [] }
    return starts
  }
}

extension Flux {
  var route: ActionRoute { attachment { _ in ActionRoute() } }
}
