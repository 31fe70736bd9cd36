internal import Synchronization

/// What a history does in the operations of its flux.
///
/// `@unchecked Sendable`: `steps` is touched in operations of the flux and in what is told of them on the
/// performing thread only: the flux's queue hands them from one thread to the next. The pointer is made by `init` and
/// freed by `deinit`. The rest is constant, or atomic.
final class HistoryCore: @unchecked Sendable {
  /// Marks the operations that take back and make again: they are no steps.
  private final class Travel: Sendable {}

  /// Marks an operation that `History.mix` performs.
  final class Mark: Sendable {
    let name: String?
    let isRecorded: Bool
    let core: ObjectIdentifier

    init(_ core: HistoryCore, name: String?, isRecorded: Bool) {
      self.name = name
      self.isRecorded = isRecorded
      self.core = ObjectIdentifier(core)
    }
  }

  /// The steps that can be taken back, and those that can be made again.
  private struct Steps: ~Copyable {
    var undo = StepStack()
    var redo = StepStack()
    /// Whether an operation may go on with the step on top.
    var isOpen = false
    /// The operation that changed the step on top last, and when that was.
    var operation = -1
    /// The operation whose step was larger than the limit: nothing else of it is a step, since it is whole or none.
    var dropped = -1
    var time = Duration.zero
    /// What the status has been told last.
    var told = HistoryStatus()

    /// Whether the status says what is so, as far as that can be seen without looking at names.
    var isPlainlyTold: Bool {
      told.canUndo == (undo.count > 0) && told.canRedo == (redo.count > 0)
        && told.undoName == nil && told.redoName == nil
        && undo.namedCount == 0 && redo.namedCount == 0
    }
  }

  private let substances: [AnySubstance]
  /// For each of them, whether a key takes no part.
  private let isLeftOut: [[Bool]]
  private let together: MarkedMix
  private let settings: HistorySettings
  let status: Substance<HistoryStatus>
  /// Behind a pointer, since each access to a stored variable of a class costs a dynamic check.
  private let steps: UnsafeMutablePointer<Steps>
  private let travel = Travel()

  let undoCount = Atomic<Int>(0)
  let redoCount = Atomic<Int>(0)
  let byteCount = Atomic<Int>(0)

  init(
    _ substances: [AnySubstance],
    of flux: Flux,
    leavingOut isLeftOut: [[Bool]],
    _ settings: HistorySettings
  ) {
    self.substances = substances
    self.isLeftOut = isLeftOut
    steps = .allocate(capacity: 1)
    steps.initialize(to: Steps())
    together = MarkedMix(of: substances, in: flux)
    self.settings = settings
    let name = "History(\(substances.map { $0.name() }.joined(separator: ", ")))"
    status = Flux.$current.withValue(flux) { Substance(HistoryStatus(), name: name) }
  }

  deinit {
    steps.deinitialize(count: 1)
    steps.deallocate()
  }

  // MARK: Recording, on the performing thread

  func record(_ track: Int, _ memory: CommittedMemory, _ origin: CommitOrigin, leavingOut: [Bool]) {
    var name: String?
    if let mark = origin.mark {
      if mark === travel || mark is ReplayMark { return }
      if let mark = mark as? Mark, mark.core == ObjectIdentifier(self) {
        if !mark.isRecorded {
          steps.pointee.isOpen = false
          return
        }
        name = mark.name
      }
    }
    let change = MemoryChange(
      memory.layout,
      memory.changes,
      old: memory.old,
      new: memory.new,
      leavingOut: leavingOut
    )
    if change.isEmpty || steps.pointee.dropped == origin.operation { return }
    let time = settings.coalescing.interval == nil ? .zero : settings.time()
    let part = HistoryPart(track: track, change: change)
    var isThere = true
    if steps.pointee.operation == origin.operation || goesOn(named: name, at: time) {
      isThere = steps.pointee.undo.changeTop { $0.append(part) }
    } else {
      steps.pointee.undo.push(StepStack.Entry(HistoryStep(name: name, part)))
    }
    if steps.pointee.redo.count > 0 { steps.pointee.redo.removeAll() }
    // What comes next does not go on with the step below one that is gone.
    steps.pointee.operation = isThere ? origin.operation : -1
    steps.pointee.time = time
    steps.pointee.isOpen = isThere
    steps.pointee.undo.trim(toSteps: settings.steps, bytes: settings.bytes)
    if isThere && steps.pointee.undo.count == 0 {
      steps.pointee.dropped = origin.operation
      steps.pointee.operation = -1
      steps.pointee.isOpen = false
    }
    tell()
  }

  /// Whether an operation goes on with the step on top.
  private func goesOn(named name: String?, at time: Duration) -> Bool {
    guard steps.pointee.isOpen, steps.pointee.undo.count > 0 else { return false }
    let coalescing = settings.coalescing
    guard coalescing.byName || coalescing.interval != nil else { return false }
    if let interval = coalescing.interval, time - steps.pointee.time > interval { return false }
    return !coalescing.byName || name != nil && name == steps.pointee.undo.topName
  }

  /// Says what can be done now, if that is something else than before.
  private func tell() {
    undoCount.store(steps.pointee.undo.count, ordering: .relaxed)
    redoCount.store(steps.pointee.redo.count, ordering: .relaxed)
    byteCount.store(steps.pointee.undo.byteCount + steps.pointee.redo.byteCount, ordering: .relaxed)
    if steps.pointee.isPlainlyTold { return }
    var now = HistoryStatus()
    now.canUndo = steps.pointee.undo.count > 0
    now.canRedo = steps.pointee.redo.count > 0
    now.undoName = steps.pointee.undo.topName
    now.redoName = steps.pointee.redo.topName
    if now == steps.pointee.told { return }
    steps.pointee.told = now
    status.mix { [now] in $0 = now }
  }

  // MARK: Going there and back, as operations

  /// - Parameter backwards: whether a step is taken back, or made again.
  func submit(
    backwards: Bool,
    _ policy: History.Policy?,
    isolation: (any Actor)?,
    _ fileID: StaticString,
    _ line: UInt
  ) -> FluxReceipt {
    together.submit(
      mark: travel,
      lent: true,
      named: backwards ? "undo" : "redo",
      isolation: isolation,
      fileID: fileID,
      line: line
    ) { [self] in
      let policy = policy ?? settings.policy
      if (backwards ? steps.pointee.undo.count : steps.pointee.redo.count) == 0 { return }
      steps.pointee.isOpen = false
      if backwards {
        try go(&steps.pointee.undo, &steps.pointee.redo, policy, backwards: true)
      } else {
        try go(&steps.pointee.redo, &steps.pointee.undo, policy, backwards: false)
        // More can be made again than was kept at once, where steps were restored.
        steps.pointee.undo.trim(toSteps: settings.steps, bytes: settings.bytes)
      }
      tell()
    }
  }

  func submit(
    named name: String?,
    recorded isRecorded: Bool,
    isolation: (any Actor)?,
    _ fileID: StaticString,
    _ line: UInt,
    _ body: @escaping @Sendable () throws -> Void
  ) -> FluxReceipt {
    together.submit(
      mark: Mark(self, name: name, isRecorded: isRecorded),
      lent: false,
      named: name,
      isolation: isolation,
      fileID: fileID,
      line: line,
      body
    )
  }

  /// Takes the step on top of one stack, makes it, and puts what was made of it onto the other one.
  private func go(
    _ from: inout StepStack,
    _ to: inout StepStack,
    _ policy: History.Policy,
    backwards: Bool
  ) throws {
    guard let entry = from.pop() else { return }
    let made: HistoryStep.Made
    do {
      // What fits of it is taken back or made again.
      made = try entry.step.made { part in
        try part.change.apply(
          to: substances[part.track].lentDraft,
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

  /// What comes next begins another step.
  func endStep() { steps.pointee.isOpen = false }

  /// Forgets all steps.
  func removeAll() {
    steps.pointee = Steps(told: steps.pointee.told)
    tell()
  }

  // MARK: Archiving, as operations

  /// The steps, and the states of now.
  func copy() -> HistoryCopy {
    HistoryCopy(
      undo: steps.pointee.undo.steps,
      redo: steps.pointee.redo.steps,
      states: substances.map { HistoryState($0) },
      isLenient: settings.policy == .keep
    )
  }

  /// Steps that were archived, as they are kept in memory.
  func restored(_ archived: ArchivedHistory) throws(HistoryArchiveError) -> RestoredHistory {
    try archived.restored(of: substances, leavingOut: isLeftOut)
  }

  /// Takes steps in place of those that there are: as many of each kind as the limits allow.
  func replaceSteps(_ restored: RestoredHistory) {
    steps.pointee = Steps(told: steps.pointee.told)
    steps.pointee.undo = StepStack(restored.undo)
    steps.pointee.undo.trim(toSteps: settings.steps, bytes: settings.bytes)
    steps.pointee.redo = StepStack(restored.redo)
    steps.pointee.redo.trim(toSteps: settings.steps, bytes: settings.bytes)
    tell()
  }
}

/// How a history was asked to be.
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
