internal import Synchronization

/// What the performer notes down while an action goes its way.
///
/// `@unchecked Sendable`: everything but `thread` is touched only by the thread that performs the flux's operation in
/// progress, which is the one that `thread` names.
final class ActionWork: @unchecked Sendable {
  /// A substance that was asked for an answer to a type of actions.
  struct Asked: Hashable {
    let substance: ObjectIdentifier
    let type: ObjectIdentifier
  }

  // Accesses are not checked for exclusiveness, which is a fifth of the work: they all are of one thread, and none calls out. Unowned, since counting
  // references is most of the rest: the operation holds the root, and each dispatcher on the way the list
  // of its workers while it asks them.

  /// The dispatcher that the action was dispatched with.
  private(set) unowned(unsafe) var root: FluxDispatcher?
  /// The dispatcher that asks its workers, the same or one inside it.
  unowned(unsafe) var dispatcher: FluxDispatcher?
  /// The worker that is being asked.
  unowned(unsafe) var worker: (any FluxWorker)?
  /// Substances that take part: they stay alive until the reactions have been delivered, even if they are unregistered.
  @exclusivity(unchecked) var held: [AnySubstance] = []
  @exclusivity(unchecked) var asked: Set<Asked> = []
  /// Effects to be started when everything has been committed.
  @exclusivity(unchecked) var starts: [EffectRequest] = []
  @exclusivity(unchecked) private var tracker: ActionTracker?
  private let thread = Atomic<UInt>(0)

  func begin(_ call: ActionCall) {
    root = call.dispatcher
    tracker = call.tracker
    thread.store(ThreadIdentity.current, ordering: .relaxed)
  }

  /// Ends the action; returns what waits for it, if anything does.
  func end() -> ActionTracker? {
    thread.store(0, ordering: .relaxed)
    root = nil
    dispatcher = nil
    worker = nil
    while held.popLast() != nil {}
    if held.capacity > 64 { held = [] }
    if !asked.isEmpty { asked.removeAll() }
    if !starts.isEmpty { starts.removeAll() }
    return tracker.take()
  }

  /// Whether the running thread is the one that performs an action.
  var isRunningHere: Bool { thread.load(ordering: .relaxed) == ThreadIdentity.current }

  /// Counts for the action in progress, made if there is none.
  func trackerMade() -> ActionTracker {
    if let tracker { return tracker }
    let new = ActionTracker()
    tracker = new
    return new
  }
}
