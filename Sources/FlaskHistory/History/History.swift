internal import Synchronization

/// Undo and redo over one substance or several. Each call undoes or redoes one step in all substances, in one atomic
/// operation.
///
/// ```swift
/// let history = History(of: document, canvas)
/// document.mix { $0.title = "Draft" }
/// history.undo()
/// history.redo()
/// ```
/// Each operation that changes any of the substances is a step: mixes, mixers, chains, actions, reactions. A step holds
/// its changes, and no states. A change that must not be undone is performed with `perform(recorded: false)`, or
/// changes only excluded keys. A change that has yet to be confirmed, for example by a server, is an `optimistic`
/// change.
///
/// The history retains its substances, and records as long as it is retained itself. Any thread may call any function.
/// The calls are performed in order with the mixes.
public final class History: Sendable {
  let core: HistoryCore
  private let observations: [SubstanceObservation]
  let registration: StateKeepers.Registration
  let flux: Flux

  /// A history of one or more substances of one flux.
  ///
  /// - Parameters:
  ///   - substance: the substances whose changes are recorded, each once. They must belong to one flux. Otherwise a
  ///     fault is reported, and substances of another flux than the first substance's are ignored.
  ///   - coalescing: the condition under which an operation becomes a part of the last step.
  ///   - policy: how undo and redo treat values that other operations have changed since the step.
  ///   - steps: the maximum number of steps that can be undone; the oldest are dropped first.
  ///   - bytes: the maximum memory of the steps that can be undone, by `StatePatch.byteCount`; the oldest are dropped
  ///     first. A step that takes more than this is dropped itself.
  ///   - leavingOut: key paths of stored properties. They are excluded from the history, with everything nested in
  ///     them. A key path begins with a state, as `\Document.cursor`, or with an element of `Entities`, as
  ///     `\Card.isSaving`. The latter excludes the key from each card, wherever it is nested in the states. A key path
  ///     of anything else, such as a computed property or a property with a property wrapper, is a fault.
  ///   - clock: the clock for `coalescing`.
  ///   - fileID: the source location; supplied by the compiler. Traces show it for the operations that write the
  ///     status.
  ///   - line: as `fileID`.
  public init<each S: Sendable>(
    of substance: repeat TypedSubstance<each S>,
    coalescing: Coalescing = .byName,
    policy: Policy = .keep,
    steps: Int = 1_000,
    bytes: Int = 64 << 20,
    leavingOut: [AnyKeyPath] = [],
    clock: any Clock<Duration> = ContinuousClock(),
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    var substances: [AnySubstance] = []
    for substance in repeat each substance { substances.append(substance) }
    var unknown: [AnyKeyPath] = []
    let leftOut = LeftOut(leavingOut, of: substances.map(\.subject.layout), unknown: &unknown)
    flux = substances.first?.flux ?? Flux.current
    core = HistoryCore(
      substances,
      of: flux,
      leavingOut: leftOut,
      HistorySettings(
        coalescing: coalescing,
        policy: policy,
        steps: max(0, steps),
        bytes: max(0, bytes),
        time: HistorySettings.time(of: clock)
      ),
      at: SourcePlace(fileID, line)
    )
    var observations: [SubstanceObservation] = []
    var count = 0
    for substance in repeat each substance {
      let track = core.substances.firstIndex { $0 === substance }
      // A substance that was passed twice is recorded once.
      guard let track, track == count else { continue }
      count += 1
      observations.append(
        substance.observeCommits { [core] memory, origin in core.record(track, memory, origin) }
      )
    }
    self.observations = observations
    registration = flux.stateKeepers.register(core)
    for keyPath in unknown {
      substances.first?.report(
        .unknownKey,
        "\(keyPath) leads to no stored property of a state of the history, or of elements, so it is not left out"
      )
    }
  }

  // MARK: Going there and back

  /// Undoes the last step. The undo is performed now if the flux is idle and unlocked, otherwise when its turn comes.
  ///
  /// The policy determines how the undo treats values that other operations have changed since the step. The outcome is
  /// `unchanged` if there is no step.
  ///
  /// - Parameters:
  ///   - policy: how this call treats values that other operations have changed; `nil` for the policy of the history.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  /// - Returns: a promise of the outcome, which may be ignored.
  @discardableResult
  public func undo(
    _ policy: Policy? = nil,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxReceipt {
    core.submit(backwards: true, policy, with: MixOptions(isolation, fileID, line))
  }

  /// Redoes the step that was undone last. See ``undo(_:isolation:fileID:line:)``. When a new step is recorded, all
  /// steps that can be redone are removed.
  @discardableResult
  public func redo(
    _ policy: Policy? = nil,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxReceipt {
    core.submit(backwards: false, policy, with: MixOptions(isolation, fileID, line))
  }

  // MARK: Steps

  /// Changes the substances in one operation, which is a step with a name or is not recorded. For several operations,
  /// or operations that pass the states to a closure, see `perform`.
  ///
  /// ```swift
  /// history.mix("Typing") { document.prop.text += "a" }
  /// history.mix(recorded: false) { document.prop.text = remote }
  /// ```
  /// - Parameters:
  ///   - name: names the step, for people and for `Coalescing.byName`.
  ///   - isRecorded: whether it can be undone. `Policy` applies to unrecorded changes.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - body: reads and writes the `prop` of the substances, on the thread that performs the operation. An error that
  ///     it throws discards the operation.
  /// - Returns: a promise of the outcome, which may be ignored.
  @discardableResult
  public func mix(
    _ name: String? = nil,
    recorded isRecorded: Bool = true,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable () throws -> Void
  ) -> FluxReceipt {
    core.together.submit(
      mark: HistoryMark.now(of: core, in: flux, name: name, isRecorded: isRecorded),
      byAddress: false,
      named: name,
      with: MixOptions(isolation, fileID, line),
      body
    )
  }

  /// Makes the operations that `body` submits (mixes, mixers, chains, actions) one step with a name, or excludes them
  /// from the history.
  ///
  /// ```swift
  /// history.perform("Move card") { MoveCard(id: 7, to: "done").dispatch() }
  /// history.perform("Typing") { document.mix { $0.text += "a" } }
  /// history.perform(recorded: false) { CardSaved(id: 7).dispatch() }
  /// ```
  /// The flux pauses while `body` runs. The operations are performed after `body` has returned: now if the flux is idle
  /// and unlocked, otherwise when their turn comes. Operations that their reactions and effects submit are not
  /// included. A `perform` inside of another one joins the step of the outer call, and names the step if the outer call
  /// has no name. Inside of a recorded `perform`, an unrecorded one stays unrecorded.
  ///
  /// - Parameters:
  ///   - name: names the step, for people and for `Coalescing.byName`.
  ///   - isRecorded: whether it can be undone. `Policy` applies to unrecorded changes.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - body: submits operations, here and now.
  /// - Returns: the result of `body`: in most cases the receipt of the submitted operation.
  @discardableResult
  public func perform<Result>(
    _ name: String? = nil,
    recorded isRecorded: Bool = true,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: () throws -> Result
  ) rethrows -> Result {
    let mark = HistoryMark.now(of: core, in: flux, name: name, isRecorded: isRecorded)
    return try flux.marking(mark, at: SourcePlace(fileID, line), isolation: isolation, body)
  }

  /// Ends the last step: the next change starts a new step.
  public func endStep() { flux.performInFluxQueue { [core] in core.endStep() } }

  /// Removes the last step that can be undone. The changes of the step stay.
  public func dropStep() { flux.performInFluxQueue { [core] in core.dropStep() } }

  /// Merges the last two steps into one step. Undoing the merged step has the effect of undoing both steps now. The
  /// merged step has the name of the earlier step or, if that has no name, the name of the later step.
  public func mergeStep() { flux.performInFluxQueue { [core] in core.mergeStep() } }

  /// Removes all steps, both those that can be undone and those that can be redone.
  public func removeAll() { flux.performInFluxQueue { [core] in core.replaceSteps([], []) } }

  // MARK: What can be done

  /// The status as a substance, which is observed like any other substance.
  public var status: Substance<HistoryStatus> { core.status.substance }

  /// Whether a step can be undone. Tracked by Observation.
  public var canUndo: Bool {
    // The status may be older than the number of steps, and is read only to make Observation track it.
    _ = status.canUndo
    return undoCount > 0
  }

  /// Whether a step can be redone. Tracked by Observation.
  public var canRedo: Bool {
    _ = status.canRedo
    return redoCount > 0
  }

  /// The number of steps that can be undone.
  public var undoCount: Int { core.undoCount.load(ordering: .relaxed) }

  /// The number of steps that can be redone.
  public var redoCount: Int { core.redoCount.load(ordering: .relaxed) }

  /// The memory that the steps take, in bytes, computed by `StatePatch.byteCount`.
  public var byteCount: Int { core.byteCount.load(ordering: .relaxed) }
}
