internal import FlaskPrimitives
internal import Synchronization

/// The part of a history that runs inside the operations of its flux.
///
/// The history marks the operations that undo and redo, so that they are not recorded as steps.
///
/// `@unchecked Sendable`:
/// - Isolation: `steps` belongs to operations of the flux and their notifications on the performing thread; the flux's
///   queue synchronizes the change of threads. The rest is constant, or atomic.
/// - If violated: a data race.
final class HistoryCore: @unchecked Sendable {
  enum Opening {
    case none
    /// Operations with the mark of the step.
    case marked
    case all
  }

  /// The steps that can be undone, and the steps that can be redone.
  struct Steps: ~Copyable {
    var undo = StepStack()
    var redo = StepStack()
    /// The operations that may be coalesced into the step on top.
    var opening = Opening.none
    var pending = PendingChanges()
    /// The operation that changed the top step last, and the time of that change.
    var operation = -1
    /// The operation whose step was larger than the limit. Later parts of this operation are not recorded either, since
    /// a step is recorded completely or not at all.
    var dropped = -1
    var time = Duration.zero
    /// The status that was mixed last.
    var notified = HistoryStatus()
  }

  let substances: [AnySubstance]
  let leftOut: LeftOut?
  let together: MarkedMix
  private let settings: HistorySettings
  let status: Substance<HistoryStatus>
  /// The checks of exclusive access are disabled: all accesses are in operations of the flux, one at a time.
  @exclusivity(unchecked) var steps = Steps()

  /// Whether an observer was ever added to `stepObservers`. Until then operations need not read it. The observers are
  /// notified on the performing thread; their keys identify their undo managers.
  let areStepsObserved = Atomic<Bool>(false)
  let stepObservers = Lock<[ObjectIdentifier: any StepObserver]>([:])
  let undoCount = Atomic<Int>(0)
  let redoCount = Atomic<Int>(0)
  let byteCount = Atomic<Int>(0)

  init(
    _ substances: [AnySubstance],
    of flux: Flux,
    leavingOut leftOut: LeftOut?,
    _ settings: HistorySettings
  ) {
    self.substances = substances
    self.leftOut = leftOut
    together = MarkedMix(of: substances, in: flux)
    self.settings = settings
    let name = "History(\(substances.map { $0.name() }.joined(separator: ", ")))"
    status = Flux.$current.withValue(flux) { Substance(HistoryStatus(), name: name) }
  }

  // MARK: Recording, on the performing thread

  func record(_ track: Int, _ memory: CommittedMemory, _ origin: CommitOrigin) {
    if origin.mark === self, steps.pending.isEmpty { return }
    let mark = (origin.mark as? HistoryMark).flatMap { $0.isOf(self) ? $0 : nil }
    let isStep = origin.mark !== self && !(origin.mark is OutsideMark) && mark?.kind != .unrecorded
    let number = isStep ? recordStep(track, memory, origin, mark) : -1
    // A later operation can't be coalesced into the step: it would start from the result of this operation, which is
    // not in the step.
    if !isStep { steps.opening = .none }
    let pending = mark?.kind == .optimistic ? mark : nil
    if pending == nil, steps.pending.isEmpty { return }
    steps.pending.add(
      memory,
      track,
      of: substances,
      by: origin.operation,
      step: number,
      pending,
      isUndo: origin.mark === self
    )
  }

  /// - Returns: the number of the step that the operation makes or joins; -1 if the operation is not recorded.
  private func recordStep(
    _ track: Int,
    _ memory: CommittedMemory,
    _ origin: CommitOrigin,
    _ mark: HistoryMark?
  ) -> Int {
    let change = MemoryChange(
      memory.layout,
      memory.changes,
      old: memory.old,
      new: memory.new,
      leavingOut: leftOut
    )
    let isOptimistic = mark?.kind == .optimistic
    if change.isEmpty || steps.dropped == origin.operation { return -1 }
    let time = settings.coalescing.interval == nil ? .zero : settings.time()
    var isThere = true
    if steps.operation == origin.operation || goesOn(mark, at: time) {
      isThere = steps.undo.changeTop {
        $0.append(HistoryPart(track: track, change: change), to: memory.new, leavingOut: leftOut)
      }
    } else {
      let part = HistoryPart(track: track, change: change)
      steps.undo.push(StepStack.Entry(HistoryStep(name: mark?.name, number: origin.operation, part)))
      mark?.step = origin.operation
      if areStepsObserved.load(ordering: .relaxed) {
        for observer in stepObservers.withLock({ $0 }).values { observer.didRecord(mark?.name) }
      }
    }
    if steps.redo.count > 0 { steps.redo.removeAll() }
    // If the top step was removed, the next operation must not be coalesced into the step below it.
    steps.operation = isThere ? origin.operation : -1
    steps.time = time
    steps.opening = isThere ? isOptimistic ? .marked : .all : .none
    steps.undo.trim(toSteps: settings.steps, bytes: settings.bytes)
    if isThere && steps.undo.count == 0 {
      steps.dropped = origin.operation
      steps.operation = -1
      steps.opening = .none
    }
    tell()
    return isThere ? steps.undo.topNumber : -1
  }

  /// Whether an operation is coalesced into the step on top.
  private func goesOn(_ mark: HistoryMark?, at time: Duration) -> Bool {
    guard steps.opening != .none, steps.undo.count > 0 else { return false }
    if let mark, mark.step == steps.undo.topNumber { return true }
    if steps.opening == .marked || mark?.kind == .optimistic { return false }
    let coalescing = settings.coalescing
    guard coalescing.byName || coalescing.interval != nil else { return false }
    if let interval = coalescing.interval, time - steps.time > interval { return false }
    guard coalescing.byName else { return true }
    return mark?.name != nil && mark?.name == steps.undo.topName
  }

  /// Publishes the status, if it has changed.
  func tell() {
    undoCount.store(steps.undo.count, ordering: .relaxed)
    redoCount.store(steps.redo.count, ordering: .relaxed)
    byteCount.store(steps.undo.byteCount + steps.redo.byteCount, ordering: .relaxed)
    var now = HistoryStatus()
    now.canUndo = steps.undo.count > 0
    now.canRedo = steps.redo.count > 0
    now.undoName = steps.undo.topName
    now.redoName = steps.redo.topName
    if now == steps.notified { return }
    steps.notified = now
    status.mix { [now] in $0 = now }
  }

  // MARK: Going there and back, as operations

  /// - Parameter backwards: whether a step is undone, or redone.
  func submit(
    backwards: Bool,
    _ policy: History.Policy?,
    isolation: (any Actor)?,
    _ fileID: StaticString,
    _ line: UInt
  ) -> FluxReceipt {
    submitUnrecorded(named: backwards ? "undo" : "redo", isolation: isolation, fileID, line) { [self] in
      let policy = policy ?? settings.policy
      if (backwards ? steps.undo.count : steps.redo.count) == 0 { return }
      steps.opening = .none
      if backwards {
        try go(&steps.undo, &steps.redo, policy, backwards: true)
      } else {
        try go(&steps.redo, &steps.undo, policy, backwards: false)
        // Redoing restored steps can make more steps to undo than the limit allows.
        steps.undo.trim(toSteps: settings.steps, bytes: settings.bytes)
      }
      tell()
    }.quiet
  }

  /// Submits an operation that is no step, and writes to the drafts by their addresses.
  func submitUnrecorded(
    named name: String,
    isolation: (any Actor)?,
    _ fileID: StaticString,
    _ line: UInt,
    _ body: @escaping @Sendable () throws -> Void
  ) -> FluxReceipt {
    together.submit(
      mark: self,
      lent: true,
      named: name,
      isolation: isolation,
      at: SourcePlace(fileID, line),
      body
    )
  }

  /// Removes the top step of one stack, applies it, and pushes the applied changes onto the other stack.
  private func go(
    _ from: inout StepStack,
    _ to: inout StepStack,
    _ policy: History.Policy,
    backwards: Bool
  ) throws {
    guard let entry = from.pop() else { return }
    if !steps.pending.isEmpty { steps.pending.undo = (entry.step, backwards) }
    let made: Made<HistoryStep>
    do {
      // The changes of the step that fit the states are undone or redone.
      made = try entry.step.made { part in
        try part.change.apply(
          to: substances[part.track].cell.draft,
          lenient: policy == .keep,
          backwards: backwards
        )
      }
    } catch {
      from.push(entry)
      throw error
    }
    switch made {
    case .whole: to.push(entry)
    case .part(let step): to.push(StepStack.Entry(step))
    case .nothing: break
    }
  }

  /// Ends the last step: the next operation starts a new step.
  func endStep() { steps.opening = .none }

  // MARK: Archiving, as operations

  /// The steps, and the states of now.
  func copy() -> HistoryCopy {
    HistoryCopy(
      undo: steps.undo.steps,
      redo: steps.redo.steps,
      substances: substances,
      states: StateCopies(of: substances),
      isLenient: settings.policy == .keep
    )
  }

  /// Replaces the steps. Of each kind the limits keep the steps that would be undone or redone next.
  func replaceSteps(_ undo: [HistoryStep], _ redo: [HistoryStep]) {
    endStep()
    steps.operation = -1
    steps.undo = StepStack(undo)
    steps.undo.trim(toSteps: settings.steps, bytes: settings.bytes)
    steps.redo = StepStack(redo)
    steps.redo.trim(toSteps: settings.steps, bytes: settings.bytes)
    tell()
  }
}

/// The observer of new steps, with their names.
protocol StepObserver: AnyObject, Sendable {
  func didRecord(_ name: String?)
}

/// The parameters with which a history was made.
struct HistorySettings: Sendable {
  let coalescing: History.Coalescing
  let policy: History.Policy
  let steps: Int
  let bytes: Int
  /// How long ago some moment was.
  let time: @Sendable () -> Duration

  static func time(of clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
