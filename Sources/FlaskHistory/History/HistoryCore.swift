internal import FlaskPrimitives
internal import Synchronization

/// Records the steps of a history, and performs undo and redo, inside of operations of its flux.
///
/// The operations that undo and redo are marked with this object, so that they are not recorded as steps.
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

  /// The steps that can be undone or redone, and the variables that recording needs.
  struct Steps: ~Copyable {
    var undo = StepStack()
    var redo = StepStack()
    /// Determines which operations may become a part of the top step of `undo` instead of starting a new step.
    var opening = Opening.none
    var pending = PendingChanges()
    /// The states without the pending changes, of the substances that one of these has changed, by track. Nothing
    /// writes to the boxes.
    var confirmed: [Int: StateBox] = [:]
    /// The number of the last operation whose changes are in the top step of `undo`; -1 if there is none.
    var operation = -1
    /// The number of an operation whose step exceeded the limits. Further changes of this operation are not recorded
    /// either, since a step is recorded completely or not at all.
    var dropped = -1
    var time = Duration.zero
  }

  /// The substances of the history's flux, each once. The number of a track is an index of them.
  let substances: [AnySubstance]
  let leftOut: LeftOut?
  let together: MarkedMix
  private let settings: HistorySettings
  let status: StatusOfHistory
  /// The recorded steps. The checks of exclusive access are disabled, since all accesses are in operations of the flux,
  /// one at a time.
  @exclusivity(unchecked) var steps = Steps()

  /// Whether an observer was ever added to `stepObservers`. Until then operations do not lock and read `stepObservers`.
  /// The observers are notified on the performing thread. The key of an observer is the identity of its undo manager.
  let areStepsObserved = Atomic<Bool>(false)
  let stepObservers = Lock<[ObjectIdentifier: any StepObserver]>([:])
  let undoCount = Atomic<Int>(0)
  let redoCount = Atomic<Int>(0)
  let byteCount = Atomic<Int>(0)

  init(
    _ substances: [AnySubstance],
    of flux: Flux,
    leavingOut leftOut: LeftOut?,
    _ settings: HistorySettings,
    at place: SourcePlace
  ) {
    self.leftOut = leftOut
    together = MarkedMix(of: substances, in: flux)
    self.substances = together.substances
    self.settings = settings
    let name = "History(\(substances.map { $0.name() }.joined(separator: ", ")))"
    status = StatusOfHistory(named: name, in: flux, at: place)
  }

  // MARK: Recording, on the performing thread

  func record(_ track: Int, _ memory: CommittedMemory, _ origin: CommitOrigin) {
    if origin.mark === self, steps.pending.isEmpty { return }
    // A time travel shows past states, and then the present states again. No other operation comes in between. So there
    // is nothing to record.
    if let outside = origin.mark as? OutsideMark {
      if outside.isTravel { return steps.opening = .none }
      // The pending changes were rebased on this state: see `rebase`.
      if let began = outside.began, steps.pending.isLater(than: began) { return steps.opening = .none }
    }
    let mark = (origin.mark as? HistoryMark).flatMap { $0.isOf(self) ? $0 : nil }
    let isStep = origin.mark !== self && !(origin.mark is OutsideMark) && mark?.kind != .unrecorded
    let number = isStep ? recordStep(track, memory, origin, mark) : -1
    // This change is not recorded as a step. Later operations must not be coalesced into the top step, since they start
    // from this change, which that step does not contain.
    if !isStep { steps.opening = .none }
    let pending = mark?.isPending == true ? mark : nil
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
    if steps.pending.isBeyondBudget() { status.reportBacklog() }
  }

  /// Records the changes of an operation in one substance.
  ///
  /// - Returns: the number of the step that contains the changes; -1 if there is none.
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
    // If the operation has cancelled out the top step, that step was removed. The next operation must then not be
    // coalesced into the step below it.
    steps.operation = isThere ? origin.operation : -1
    steps.time = time
    steps.opening = isThere ? isOptimistic ? .marked : .all : .none
    steps.undo.trim(toSteps: settings.steps, bytes: settings.bytes)
    if isThere && steps.undo.count == 0 {
      steps.dropped = origin.operation
      steps.operation = -1
      steps.opening = .none
    }
    publishStatus()
    return isThere ? steps.undo.topNumber : -1
  }

  /// Whether an operation becomes a part of the last step that can be undone, instead of starting a new step.
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
  func publishStatus() {
    undoCount.store(steps.undo.count, ordering: .relaxed)
    redoCount.store(steps.redo.count, ordering: .relaxed)
    byteCount.store(steps.undo.byteCount + steps.redo.byteCount, ordering: .relaxed)
    var now = HistoryStatus()
    now.canUndo = steps.undo.count > 0
    now.canRedo = steps.redo.count > 0
    now.undoName = steps.undo.topName
    now.redoName = steps.redo.topName
    status.publish(now)
  }

  // MARK: Going there and back, as operations

  /// Submits an operation that undoes or redoes a step.
  ///
  /// - Parameter backwards: `true` to undo a step, `false` to redo a step.
  func submit(
    backwards: Bool,
    _ policy: History.Policy?,
    with options: MixOptions
  ) -> FluxReceipt {
    submitUnrecorded(named: backwards ? "undo" : "redo", with: options) { [self] in
      let policy = policy ?? settings.policy
      if (backwards ? steps.undo.count : steps.redo.count) == 0 { return }
      steps.opening = .none
      if backwards {
        try go(&steps.undo, &steps.redo, policy, backwards: true)
      } else {
        try go(&steps.redo, &steps.undo, policy, backwards: false)
        // After steps were restored from an archive, redoing them may result in more undo steps than the limit allows.
        // The oldest are then dropped.
        steps.undo.trim(toSteps: settings.steps, bytes: settings.bytes)
      }
      publishStatus()
    }.quiet
  }

  /// Submits an operation that is not recorded as a step. `body` writes to the drafts by their addresses.
  func submitUnrecorded(
    named name: String,
    with options: MixOptions,
    by origin: OperationIdentity.Origin = .client,
    _ body: @escaping @Sendable () throws -> Void
  ) -> FluxReceipt {
    together.submit(
      mark: self,
      byAddress: true,
      named: name,
      with: options,
      by: origin,
      body
    )
  }

  /// Undoes or redoes a step: removes the top step of one stack (undo or redo), applies it, and pushes the applied
  /// changes onto the other stack.
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
      // With the policy `keep`, those changes of the step that do not fit the states are skipped, and all others are
      // applied.
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

  /// Returns a snapshot of the steps and the present states, without what is pending.
  func copy() -> HistoryCopy {
    let course = steps.pending.withoutPending(of: substances, leavingOut: leftOut)
    func confirmed(_ steps: [HistoryStep]) -> [HistoryStep] {
      course.map { steps.compactMap($0.step) } ?? steps
    }
    return HistoryCopy(
      undo: confirmed(steps.undo.steps),
      redo: confirmed(steps.redo.steps),
      substances: substances,
      states: course?.states ?? StateCopies(of: substances),
      isLenient: settings.policy == .keep
    )
  }

  /// Replaces all steps. Beyond the limits, the undo steps and the redo steps that are farthest from the present state
  /// are dropped.
  func replaceSteps(_ undo: [HistoryStep], _ redo: [HistoryStep]) {
    endStep()
    steps.operation = -1
    steps.undo = StepStack(undo)
    steps.undo.trim(toSteps: settings.steps, bytes: settings.bytes)
    steps.redo = StepStack(redo)
    steps.redo.trim(toSteps: settings.steps, bytes: settings.bytes)
    publishStatus()
  }
}

/// An object that is notified of each new step and its name.
protocol StepObserver: AnyObject, Sendable {
  func didRecord(_ name: String?)
}

/// The parameters with which a history was created.
struct HistorySettings: Sendable {
  let coalescing: History.Coalescing
  let policy: History.Policy
  let steps: Int
  let bytes: Int
  /// Returns the time since the history was created.
  let time: @Sendable () -> Duration

  static func time(of clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
