internal import FlaskCore
internal import Synchronization

/// What is noted down while an action goes its way; one for each flux.
///
/// `@unchecked Sendable`: everything but `thread` is touched only by the thread that performs the flux's operation in
/// progress, which is the one that `thread` names. The pointer is made by `init` and freed by `deinit`.
final class ActionRoute: @unchecked Sendable {
  /// A substance that was asked for an answer to a type of actions.
  private struct Asked: Hashable {
    let substance: ObjectIdentifier
    let type: ObjectIdentifier
  }

  /// Behind a pointer, since each access to a stored variable of a class costs a dynamic check.
  private struct Notes {
    /// The dispatcher that the action was dispatched with, which the operation holds.
    var root: Borrowed<FluxDispatcher>?
    /// The dispatcher that asks its workers, the same or one inside it, held by its own dispatcher's list of workers.
    var dispatcher: Borrowed<FluxDispatcher>?
    /// The worker that is being asked, held by the list that its dispatcher walks.
    var worker: Borrowed<WorkerLink>?
    /// Substances that take part: they stay alive until the reactions have been delivered, even if they are
    /// unregistered.
    var held: [AnySubstance] = []
    var asked: Set<Asked> = []
    /// Effects to be started when everything has been committed.
    var starts: [EffectRequest] = []
    var tracker: ActionTracker?
    /// Whether any worker or substance has answered.
    var isAnswered = false
  }

  private let notes: UnsafeMutablePointer<Notes>
  private let thread = Atomic<UInt>(0)

  init() {
    notes = .allocate(capacity: 1)
    notes.initialize(to: Notes())
  }

  deinit {
    notes.deinitialize(count: 1)
    notes.deallocate()
  }

  /// Begins an action of a dispatcher, which the caller holds until `end()`.
  func begin(_ dispatcher: FluxDispatcher, tracker: ActionTracker?) {
    notes.pointee.root = Borrowed(dispatcher)
    notes.pointee.tracker = tracker
    notes.pointee.isAnswered = false
    thread.store(ThreadIdentity.current, ordering: .relaxed)
  }

  /// Ends the action; returns what waits for it, if anything does.
  func end() -> ActionTracker? {
    thread.store(0, ordering: .relaxed)
    notes.pointee.root = nil
    notes.pointee.dispatcher = nil
    notes.pointee.worker = nil
    // One after the other, since letting go of a substance may run a `deinit` of the user's, which may dispatch.
    while notes.pointee.held.popLast() != nil {}
    if notes.pointee.held.capacity > 64 { notes.pointee.held = [] }
    if !notes.pointee.asked.isEmpty { notes.pointee.asked.removeAll() }
    if !notes.pointee.starts.isEmpty { notes.pointee.starts.removeAll() }
    return notes.pointee.tracker.take()
  }

  /// Whether the running thread is the one that performs an action.
  var isRunningHere: Bool { thread.load(ordering: .relaxed) == ThreadIdentity.current }

  /// Counts for the action in progress, made if there is none.
  func trackerMade() -> ActionTracker {
    if let tracker = notes.pointee.tracker { return tracker }
    let new = ActionTracker()
    notes.pointee.tracker = new
    return new
  }

  /// Notes that somebody has answered the action, or may have.
  func markAnswered() { notes.pointee.isAnswered = true }

  /// Whether nobody has answered the action in progress.
  var isUnanswered: Bool { !notes.pointee.isAnswered }

  // MARK: Workers

  /// The dispatcher that asks its workers.
  var dispatcher: FluxDispatcher? { notes.pointee.dispatcher?.object }
  /// The dispatcher that the action was dispatched with.
  var root: FluxDispatcher? { notes.pointee.root?.object }
  /// The registered worker that is being asked.
  var worker: (any FluxWorker)? { notes.pointee.worker?.object.worker }

  /// Calls `body` while `dispatcher` asks its workers.
  @inline(__always)
  func asking<Result>(by dispatcher: FluxDispatcher, _ body: () throws -> Result) rethrows -> Result {
    let outer = (dispatcher: notes.pointee.dispatcher, worker: notes.pointee.worker)
    notes.pointee.dispatcher = Borrowed(dispatcher)
    defer {
      notes.pointee.dispatcher = outer.dispatcher
      notes.pointee.worker = outer.worker
    }
    return try body()
  }

  @inline(__always)
  func setWorker(_ link: Borrowed<WorkerLink>) { notes.pointee.worker = link }

  // MARK: Substances

  func hold(_ substance: AnySubstance) { notes.pointee.held.append(substance) }

  func noteAsked(_ substance: AnySubstance, for type: ObjectIdentifier) {
    notes.pointee.asked.insert(Asked(substance: ObjectIdentifier(substance), type: type))
  }

  func wasAsked(_ substance: AnySubstance, for type: ObjectIdentifier) -> Bool {
    notes.pointee.asked.contains(Asked(substance: ObjectIdentifier(substance), type: type))
  }

  // MARK: Effects

  func note(_ start: EffectRequest) { notes.pointee.starts.append(start) }

  func takeStarts() -> [EffectRequest] {
    if notes.pointee.starts.isEmpty { return [] }
    defer { notes.pointee.starts = [] }
    return notes.pointee.starts
  }
}

extension Flux {
  var route: ActionRoute { attachment { _ in ActionRoute() } }
}
