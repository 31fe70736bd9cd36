@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff

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

  final func isConcerned(by moment: Moment) -> Bool {
    let isKnown = state.withLock { state -> Bool? in
      guard let participant = state.participant,
        !participant.listeners.isEmpty || participant.hasNotice(Participant.Notice.tracking)
      else { return false }
      // Another flux has not told of an earlier change yet: its observers were told last of what is known already.
      guard state.preparation == .none else { return true }
      guard state.told == state.number, state.isCurrent else { return nil }
      let reads = state.reads
      for place in 0..<reads.count {
        let isChanged = reads.cell(at: place).use { moment.isDraft($0) && $0.isInDraft(reads.reads + place) }
        if !isChanged { continue }
        state.preparation = .isTold
        return true
      }
      for place in 0..<reads.count where reads.cell(at: place).use({ moment.isDraft($0) }) {
        state.versions[place] &+= 1
      }
      return false
    }
    if let isKnown { return isKnown }
    let before = pinnedValue()
    let isNew = state.withLock { state in
      guard state.preparation == .none else { return false }
      state.preparation = .isValue
      state.before = before
      return true
    }
    if !isNew { before.box.unpin() }
    return true
  }

  final func nextParticipant(at moment: Moment) -> Participant? {
    let (told, reads) = state.withLock { state -> (Told?, ReadList?) in
      guard state.preparation == .isTold, state.told == state.number, state.sources.isEmpty,
        let participant = state.participant
      else { return (nil, nil) }
      state.preparation = .none
      return (
        Told(participant: Borrowed(participant), number: state.number, edition: state.edition), state.reads
      )
    }
    if let told, let reads {
      return withExtendedLifetime(reads) { recompute(told, expecting: Borrowed(reads), at: moment) }
    }
    return refresh { value(at: moment) }
  }

  /// As `nextParticipant(at:)`, in an operation of its own.
  final func refreshAlone() -> Participant? {
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
    let (preparation, number, before, participant) = state.withLock { state in
      defer {
        state.preparation = .none
        state.before = nil
      }
      return (state.preparation, state.told, state.before, state.participant)
    }
    guard preparation != .none, let participant else { return nil }
    guard let before else { return tell(value(), after: number, by: participant) }
    defer { before.box.unpin() }
    bringUpToDate(participant, before)
    return tell(value(), after: before.number, by: participant)
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
        // What differs, but not in value, goes.
        if !isChanged && participant.changes.pointee.hasDirty { participant.discard() }
        if !log.pointee.isAsExpected || !adopt(participant, isChanged, at: moment, ifStill: told.edition) {
          adoptReads(of: log, participant, isChanged ? nil : told.number, at: moment)
        }
        return isChanged ? participant : nil
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
      if !isChanged { return (true, nil) }
      state.count += 1
      state.number = state.count
      state.told = state.count
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
  /// - Parameter number: that of the state, if that is still the value; `nil` if the draft is a new one.
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
      let box = number == nil ? participant.draftBox : participant.performersCommittedBox
      let old = state.replace(box, state.told, reads, versions, sources)
      state.isInPlace = true
      return old
    }
    withExtendedLifetime(old) {}
    follow()
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
