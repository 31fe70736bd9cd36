@_spi(FlaskInternals) internal import FlaskArchive
internal import FlaskDiff

// How observers and trackers of a derived value are told of the next one.
extension AnyDerivedNode {
  /// What observers and trackers are told by. Made when it is first asked for.
  final var anySubstance: AnySubstance? {
    if let made = state.withLock({ $0.substance }) { return made }
    let value = pinnedValue()
    defer { value.box.unpin() }
    let new = makeSubstance(value.box)
    let made = state.withLock { state in
      if state.substance == nil {
        state.substance = new
        state.participant = new?.participant
        state.told = value.number
      }
      return state.substance
    }
    withExtendedLifetime(new) {}
    return made
  }

  // MARK: By the performer

  /// Whether an operation may change the value, and somebody is to be told. From there on it is known what the value is
  /// before: the one that was told last or, if nobody listened meanwhile, `before`.
  final func concern(for moment: Moment) -> Concern {
    let known = state.withLock { state -> Concern? in
      guard state.isHeard else {
        state.isKept = false
        return .unheard
      }
      guard state.before == nil, state.told == state.number, state.isCurrent else {
        return state.isKept ? .value : nil
      }
      state.isKept = true
      let reads = state.reads
      for place in 0..<reads.count {
        let isChanged = reads.cell(at: place).use { moment.isDraft($0) && $0.isInDraft(reads.reads + place) }
        if isChanged { return .value }
      }
      for place in 0..<reads.count where reads.cell(at: place).use({ moment.isDraft($0) }) {
        state.versions[place] &+= 1
      }
      return Concern.none
    }
    if let known { return known }
    let value = pinnedValue()
    setBefore(value) { !$0.isKept }
    return .value
  }

  /// After an operation has been published for which nobody listened: whether somebody does now.
  final func isHeardLate(at moment: Moment) -> Bool {
    guard state.withLock({ $0.isHeard }) else { return false }
    let value = value(at: moment)
    value.box.pin()
    // That another bus has been told of changes meanwhile, does not mean that it has told of this one.
    setBefore(value) { !$0.isKept || $0.before != nil || $0.told == $0.number }
    return true
  }

  /// Has the next value told as one that comes after a value, which is pinned for that.
  private final func setBefore(_ value: NumberedBox, if isWanted: (State) -> Bool) {
    let (old, unused) = state.withLock { state -> (NumberedBox?, NumberedBox?) in
      guard isWanted(state), !state.isClosed else { return (nil, value) }
      state.isKept = true
      let old = state.before
      state.before = value.number == state.told ? nil : value
      return (old, state.before == nil ? value : nil)
    }
    old?.box.unpin()
    unused?.box.unpin()
  }

  final func nextParticipant(at moment: Moment) -> Participant? {
    let (told, reads) = state.withLock { state -> (Told?, ReadList?) in
      guard state.before == nil, state.told == state.number, state.sources.isEmpty,
        let participant = state.participant
      else { return (nil, nil) }
      return (
        Told(participant: Borrowed(participant), number: state.number, edition: state.edition), state.reads
      )
    }
    if let told, let reads {
      return withExtendedLifetime(reads) { recompute(told, expecting: Borrowed(reads), at: moment) }
    }
    return refresh { value(at: moment) }
  }

  /// As `nextParticipant(at:)`, when all has been published. None if nobody has listened in the meantime.
  final func presentParticipant() -> Participant? {
    let (isKept, unused) = state.withLock { state -> (Bool, NumberedBox?) in
      if state.isKept { return (true, nil) }
      defer { state.before = nil }
      return (false, state.before)
    }
    unused?.box.unpin()
    if !isKept { return nil }
    var pinned: StateBox?
    defer { pinned?.unpin() }
    return refresh {
      let value = pinnedValue()
      pinned = value.box
      return value
    }
  }

  /// - Parameter value: returns the value after the operation.
  @inline(never)
  private final func refresh(_ value: () -> NumberedBox) -> Participant? {
    let (told, before, participant) = state.withLock { state in
      defer { state.before = nil }
      return (state.told, state.before, state.participant)
    }
    defer { before?.box.unpin() }
    guard let participant else { return nil }
    // Nobody is to be told of what came before that.
    if let before, before.number != told { bringUpToDate(participant, before) }
    return tell(value(), after: before?.number ?? told, by: participant)
  }

  /// The value that the substance has, if it is the last one. The node holds the participant.
  private struct Told {
    let participant: Borrowed<Participant>
    let number: Int
    /// How often what it was computed from had been replaced.
    let edition: Int
  }

  /// Computes the value into the draft of its substance, which has the last one: nothing is allocated if what is read
  /// is what was read then (fast path).
  ///
  /// - Parameter expected: held by the caller.
  private final func recompute(
    _ told: Told,
    expecting expected: Borrowed<ReadList>,
    at moment: Moment
  ) -> Participant? {
    _ = moment.begin(self)
    defer { moment.end() }
    return ReadLog.withLog(expecting: expected) { log in
      told.participant.use { participant in
        moment.logging(in: log) { compute(into: participant.draft) }
        participant.reduce()
        let isChanged = !participant.changes.pointee.isEmpty
        // What differs, but not in value, is told to nobody, and is what everybody reads from here on.
        let isOther = participant.changes.pointee.hasDirty
        if !log.pointee.isAsExpected || !adopt(participant, isChanged, at: moment, ifStill: told.edition) {
          adoptReads(of: log, participant, isChanged ? nil : told.number, at: moment)
        }
        return isOther ? participant : nil
      }
    }
  }

  /// The draft is a new value, or the state is still the value, and was computed from the same keys as the last one.
  /// False if that has been replaced meanwhile.
  private final func adopt(
    _ participant: Participant,
    _ isChanged: Bool,
    at moment: Moment,
    ifStill edition: Int
  ) -> Bool {
    let (isDone, old) = state.withLock { state -> (Bool, StateBox?) in
      if state.edition != edition { return (false, nil) }
      for place in 0..<state.reads.count {
        state.versions[place] = state.reads.cell(at: place).use { moment.version(of: $0) }
      }
      if !participant.changes.pointee.hasDirty { return (true, nil) }
      if isChanged {
        state.count += 1
        state.number = state.count
        state.told = state.count
      }
      state.edition &+= 1
      state.isInPlace = true
      let old = state.box
      state.box = participant.draftBox
      return (true, old)
    }
    withExtendedLifetime(old) {}
    return isDone
  }

  /// The same with what the log says that was read.
  ///
  /// - Parameter number: that of the state, if nothing is to be told; `nil` if the draft is a new value.
  @inline(never)
  private final func adoptReads(
    of log: UnsafeMutablePointer<ReadLog>,
    _ participant: Participant,
    _ number: Int?,
    at moment: Moment
  ) {
    let (reads, sources) = (log.pointee.reads, sources(in: log))
    let versions = reads.versions(at: moment)
    let old = state.withLock { state -> Dropped? in
      if state.isClosed { return nil }
      if number == nil { state.count += 1 }
      state.told = number ?? state.count
      let isOther = participant.changes.pointee.hasDirty
      let box = isOther ? participant.draftBox : participant.performersCommittedBox
      let old = state.replace(box, state.told, reads, versions, sources)
      state.isInPlace = true
      return old
    }
    withExtendedLifetime(old) {}
    follow(at: moment, isNew: false)
  }

  /// Has the substance have the value before the operation in progress: while nobody listened it was not kept up to
  /// date.
  private final func bringUpToDate(_ participant: Participant, _ before: NumberedBox) {
    leavePlace()
    participant.draftState(in: before.box)
    if participant.changes.pointee.hasDirty {
      participant.publish()
      participant.recordUntold()
      participant.settle()
    }
    state.withLock { $0.told = before.number }
  }

  /// Makes a value the draft of the substance. Returns that if it is to be told.
  private final func tell(_ value: NumberedBox, after number: Int, by participant: Participant)
    -> Participant?
  {
    if value.number == number { return nil }
    leavePlace()
    participant.draftState(in: value.box)
    state.withLock { $0.told = value.number }
    return participant.changes.pointee.hasDirty ? participant : nil
  }

  /// Sees to it that the last value is not in a box that the substance is going to write to.
  private final func leavePlace() {
    guard let box = state.withLock({ $0.isInPlace ? $0.box : nil }) else { return }
    // By nobody but the performer the box is written to.
    let copy = box.copy()
    state.withLock { state in
      guard state.box === box else { return }
      state.box = copy
      state.isInPlace = false
    }
  }
}
