internal import FlaskPrimitives
internal import Synchronization

// How observers and trackers of a derived value are notified of the next one.
extension AnyDerivedNode {
  /// What observers and trackers are notified by. Made when it is first asked for.
  final var anySubstance: AnySubstance? {
    if let made = notifying.load(ordering: .acquiring) { return made.object }
    let value = pinnedValue()
    defer { value.box.unpin() }
    guard let new = makeSubstance(value.box).map({ Borrowed.owned($0) }) else { return nil }
    let isFirst = state.withLock { state in
      if notifying.load(ordering: .acquiring) != nil { return false }
      (state.told, state.placed) = (value.number, value.number)
      notifying.store(new, ordering: .releasing)
      return true
    }
    if !isFirst { new.release() }
    return notifying.load(ordering: .acquiring)?.object
  }

  /// Whether somebody is to be notified of changes.
  private final var isHeard: Bool {
    notifying.load(ordering: .acquiring)?.use {
      !$0.participant.listeners.isEmpty || $0.participant.hasNotice(Participant.Notice.tracking)
    } ?? false
  }

  // MARK: From any thread

  /// Sees to it that whoever has just begun to listen is notified of each change of what the value is now.
  final func keep() {
    if state.withLock({ $0.isRegistered }) { return }
    let value = pinnedValue()
    let mustRefresh = state.withLock { state in
      if state.isRegistered || state.isClosed || state.box == nil { return false }
      state.register(self)
      if value.number != state.placed {
        value.box.pin()
        state.base = value.box
        state.told = value.number
      }
      return state.box !== value.box || !state.inputs.arePublished()
    }
    value.box.unpin()
    if mustRefresh { refreshLater() }
  }

  /// Somebody who tracks has read a value: of another bus it may be one that nobody has been notified of.
  final func noteSeen(_ value: NumberedBox) {
    let old = state.withLock { state -> NumberedBox? in
      guard state.isRegistered, value.number == state.number, value.number != state.told else { return nil }
      value.box.pin()
      defer { state.seen = value }
      return state.seen
    }
    old?.box.unpin()
  }

  /// Something has changed that it reads, and nobody is notified of that yet. Returns whether it is to be refreshed.
  ///
  /// - Parameter unlessCurrent: whether the value may have been computed from that already.
  final func fallBehind(unlessCurrent: Bool) -> Bool {
    state.withLock { state in
      if !state.isRegistered || unlessCurrent && state.inputs.areCommitted { return false }
      if !isHeard {
        state.unregister(self)
        return false
      }
      state.isBehind = true
      return true
    }
  }

  /// Has its own flux look for changes, unless it is going to.
  final func refreshLater() {
    let mustSubmit = state.withLock { state in
      if !state.isRegistered { return false }
      state.isBehind = true
      defer { state.isRefreshing = true }
      return !state.isRefreshing
    }
    if mustSubmit { _ = flux.submit(.refresh(self), isolation: .none) }
  }

  /// The value that the observers know of, pinned, for one that has just been added: see `StartingState`.
  final func startingValue(of participant: Participant) -> (StateBox, number: Int) {
    state.withLock { state in
      guard let base = state.base else {
        let box = participant.pinCommitted()
        return (box, box.number)
      }
      base.pin()
      return (base, participant.committedVersion)
    }
  }

  // MARK: By the performer of its flux

  /// Sees to it that the substance has the value that there was before the operation in progress, and that the
  /// observers know of it. False if nobody listens any more.
  final func prepare(in transaction: FluxTransaction, at moment: Moment, isolation: ActorIdentity) -> Bool {
    // Most often there is nothing to do (fast path).
    let isReady = state.withLock { state -> Bool? in
      if !state.isRegistered { return false }
      if !isHeard {
        state.unregister(self)
        return false
      }
      return state.base == nil && state.seen == nil && !state.isBehind ? true : nil
    }
    return isReady ?? bringUp(in: transaction, at: moment, isolation: isolation)
  }

  private final func bringUp(
    in transaction: FluxTransaction,
    at moment: Moment,
    isolation: ActorIdentity
  ) -> Bool {
    let (isKept, base, seen, isBehind) = state.withLock { state -> (Bool, StateBox?, NumberedBox?, Bool) in
      if !state.isRegistered { return (false, nil, nil, false) }
      // It is pinned for the substance's sake: who begins to listen meanwhile begins with it.
      state.base?.pin()
      defer { state.seen = nil }
      return (true, state.base, state.seen, state.isBehind)
    }
    guard isKept, let participant else { return isKept }
    if let base {
      place(base, in: participant)
      if participant.changes.pointee.hasDirty {
        participant.publish()
        participant.recordUntold()
        participant.settle()
      }
      let old = state.withLock { state in
        defer { state.base = nil }
        state.placed = state.told
        return state.base
      }
      old?.unpin()
      base.unpin()
    }
    if let seen { tell(seen, by: participant, in: transaction, isolation: isolation) }
    if isBehind {
      let value = moment.enter { self.value(at: $0) }
      tell(value, by: participant, in: transaction, isolation: isolation)
    }
    return true
  }

  private final var participant: Participant? { notifying.load(ordering: .acquiring)?.use { $0.participant } }

  /// Commits a value before the operation in progress, and unpins it.
  private final func tell(
    _ value: NumberedBox,
    by participant: Participant,
    in transaction: FluxTransaction,
    isolation: ActorIdentity
  ) {
    defer { value.box.unpin() }
    if !move(to: value, in: participant) { return }
    transaction.commitBefore(participant, isolation: isolation)
  }

  /// Makes a value the draft of the substance. Returns whether that changes anything.
  private final func move(to value: NumberedBox, in participant: Participant) -> Bool {
    if state.withLock({ $0.told }) == value.number { return false }
    place(value.box, in: participant)
    state.withLock { ($0.told, $0.placed) = (value.number, value.number) }
    return participant.changes.pointee.hasDirty
  }

  /// Writes a value to the draft. The last value must not be in the box that is going to be the next draft.
  private final func place(_ box: StateBox, in participant: Participant) {
    let committed = participant.performersCommittedBox
    if box !== committed, state.withLock({ $0.box === committed }) {
      let copy = committed.copy()
      state.withLock { if $0.box === committed { $0.box = copy } }
    }
    participant.draftState(in: box)
  }

  /// Computes the value at a moment. Returns the participant to be committed, if it is another one than that which the
  /// observers know of.
  final func refresh(at moment: Moment) -> Borrowed<Participant>? {
    guard let participant = notifier else { return nil }
    return participant.use {
      switch refreshAlone(at: moment, in: $0) {
      case .unchanged: nil
      case .changed: participant
      case .unknown: refreshWithSources(at: moment, in: $0) ? participant : nil
      }
    }
  }

  final var notifier: Borrowed<Participant>? {
    notifying.load(ordering: .acquiring)?.use { Borrowed($0.participant) }
  }

  enum Refreshed {
    case unchanged, changed
    /// It is another case, and nothing has happened.
    case unknown
  }

  /// The usual case, which takes the lock twice: the observers know of the last value, what has changed was read by the
  /// closure itself, and it reads the same again.
  final func refreshAlone(at moment: Moment, in participant: Participant) -> Refreshed {
    var (inputs, number, edition, check) = (Unmanaged<Inputs>?.none, 0, 0, 0)
    let isUnchanged = state.withLock { state in
      if !state.isRegistered { return false }
      if state.base != nil || state.seen != nil || state.isBehind || !isHeard { return false }
      if state.box == nil || state.isClosed || state.computing > 0 || moment.hasPast { return false }
      if state.number != state.told || state.told != state.placed { return false }
      let verdict = state.inputs.check(at: moment)
      if verdict == .changed {
        state.computing = 1
        inputs = .passRetained(state.inputs)
        (number, edition, check) = (state.number, state.edition, state.inputs.checkCount)
      }
      return verdict == .same
    }
    if isUnchanged { return .unchanged }
    guard let inputs else { return .unknown }
    defer { inputs.release() }
    moment.beginComputing(self)
    defer { moment.endComputing() }
    return inputs._withUnsafeGuaranteedRef { inputs in
      // Memory of the inputs' own, since nobody else computes from them.
      var log = ReadLog(expecting: inputs, in: inputs.marks)
      return withUnsafeMutablePointer(to: &log) { log in
        let outer = moment.begin(logging: log)
        compute(into: participant.draft)
        moment.end(outer)
        participant.reduce()
        // What differs, but not in value, nobody is notified of; but from here on it is what is read.
        let (isOther, isSame) = (participant.changes.pointee.hasDirty, participant.changes.pointee.isEmpty)
        if log.pointee.isAsExpected {
          var old: StateBox?
          let isAdopted = state.withLock { state in
            if state.isClosed || state.edition != edition { return false }
            state.computing -= 1
            state.edition += 1
            inputs.setVersions(at: moment, checkedAt: check)
            log.pointee.setNumbers(of: inputs)
            if !isSame {
              state.count += 1
              (state.number, state.told, state.placed) = (state.count, state.count, state.count)
            }
            if isOther {
              old = state.box
              state.box = participant.draftBox
            }
            return true
          }
          withExtendedLifetime(old) {}
          if isAdopted { return isOther ? .changed : .unchanged }
        }
        let box = isOther ? participant.draftBox : participant.performersCommittedBox
        let last = NumberedBox(box: box, number: number, reads: 0)
        adopt(box, isSame: isSame, isPlaced: true, log, edition, at: moment, after: last).box.unpin()
        return isOther && !state.withLock({ $0.isClosed }) ? .changed : .unchanged
      }
    }
  }

  /// - Returns: whether the draft is to be committed.
  private final func refreshWithSources(at moment: Moment, in participant: Participant) -> Bool {
    let value = moment.enter { self.value(at: $0, in: participant) }
    defer { value.box.unpin() }
    if state.withLock({ $0.isClosed }) { return false }
    return value.box === participant.draftBox || move(to: value, in: participant)
  }
}

extension FluxOperation {
  /// Looks for changes of a derived value that no observer has been notified of: of what depends on substances of
  /// another flux, or was registered in the course of an operation.
  static func refresh(_ node: AnyDerivedNode) -> FluxOperation {
    let identity = OperationIdentity(.refresh, at: SourcePlace(node.location))
    // Kept when the flux is purged: no user has submitted it, and an observer would miss a change.
    return FluxOperation(identity, isPurged: false, in: node.flux) { transaction in
      let moment = Derivation.of(node.flux).moment
      defer { moment.end() }
      node.state.withLock { ($0.isBehind, $0.isRefreshing) = (false, false) }
      if node.prepare(in: transaction, at: moment, isolation: .none),
        let participant = node.refresh(at: moment)
      {
        participant.use { transaction.append($0) }
      }
      return .commitCompared
    }
  }
}
