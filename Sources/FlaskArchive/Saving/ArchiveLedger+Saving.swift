// Saves, removals and purges.
extension ArchiveLedger {
  /// The content of a save.
  struct Plan: Sendable {
    struct State: Sendable {
      let member: Int
      let key: String
      /// The least rank that the state will have.
      let rank: Number
    }

    let writer: Writer
    let isAsked: Bool
    /// The members whose states are to be written, in the order in which they joined: one for each key.
    var states: [State] = []
    /// The parts that the archive must not have afterwards, with the number up to which changes are dropped.
    var removals: [String: Number] = [:]
    /// The members that leave with this save.
    var leaving: [Int] = []
    /// The key of a mixed member whose archive is still being read. While there is one, its writer saves nothing.
    var blocker: String?
  }

  /// The result of a save.
  struct Outcome: Sendable {
    /// The members whose states were written. Those of a plan that are missing must not be saved now.
    var written: Set<Int> = []
    var error: ArchiveError?
    /// The member whose state could not be encoded.
    var unencodable: Int?
  }

  /// The consequences of a save.
  struct End: Sendable {
    /// Why not all states are in the archive.
    var error: ArchiveError?
    /// Whether the error is to be reported: it was not before, or a caller waits.
    var isNews = false
    /// The members that have ended.
    var ended: [Int] = []
    /// The keys of members that have ended although their last change is not in the archive.
    var lost: [String] = []
    /// The time to set a timer for.
    var alarm: Duration?
  }

  /// Begins a save. It contains all changes that were noted before.
  ///
  /// - Parameter isAsked: whether to save although nothing has changed.
  /// - Returns: `nil` if there is nothing to save.
  mutating func beginSave(by writer: Writer, isAsked: Bool) -> Plan? {
    guard isAsked || isUnsaved(writer) else {
      writers[writer]?.schedule.drop()
      return nil
    }
    writers[writer]?.schedule.beginWriting()
    let own = members.filter { $0.value.writer == writer }.sorted { $0.key < $1.key }
    var plan = Plan(writer: writer, isAsked: isAsked)
    plan.blocker = blocker(of: writer)
    if plan.blocker != nil { return plan }
    var newest: [String: Int] = [:]
    for (id, member) in own where member.phase == .active || member.phase == .released {
      if let other = newest[member.key].flatMap({ members[$0] }), other.isLater(than: member) { continue }
      newest[member.key] = id
    }
    for (id, member) in own {
      // A part that could not be read stays, and its member with it.
      guard member.phase == .leaving, parts[member.place]?.refusal == nil else { continue }
      plan.leaving.append(id)
      let other = newest[member.key].flatMap { members[$0] }
      let isLeft = other.map { $0.phase == .released && member.isLater(than: $0) } ?? true
      if isLeft { plan.removals[member.key] = count }
    }
    for (place, part) in parts where place.writer == writer {
      guard let removal = part.removal else { continue }
      if newest[place.key].flatMap({ members[$0] }).map({ $0.change > removal }) ?? false { continue }
      plan.removals[place.key] = removal
    }
    for (id, member) in own where newest[member.key] == id && plan.removals[member.key] == nil {
      if parts[member.place]?.refusal != nil || saved(member) > member.rank { continue }
      // A later state of another member was written after this one was read.
      let isStale =
        member.change == 0 && member.written == 0 && parts[member.place]?.savedAt ?? 0 > member.joined
      if isStale { continue }
      plan.states.append(Plan.State(member: id, key: member.key, rank: member.rank))
    }
    return plan
  }

  /// Ends a save.
  mutating func endSave(_ plan: Plan, _ outcome: Outcome, at now: Duration) -> End {
    var end = End(error: outcome.error)
    if outcome.error == nil {
      settle(plan, outcome, &end)
      writers[plan.writer]?.isContentUnknown = false
      end.error = refusal(of: plan.writer)
    } else if let id = outcome.unencodable, let member = members[id], member.phase == .released {
      // It can never be encoded, since its owner cannot change it any more.
      remove(id, &end)
      end.lost.append(member.key)
    }
    endReleased(of: plan.writer, &end)
    if plan.isAsked || plan.blocker == nil {
      end.isNews = plan.isAsked || end.error != writers[plan.writer]?.reported
      writers[plan.writer]?.reported = end.error
    }
    end.alarm = writers[plan.writer]?.schedule.endWriting(Self.ending(end.error), at: now)
    return end
  }

  /// Ends the released members that have nothing to save any more.
  mutating func endReleased(of writer: Writer, _ end: inout End) {
    for (id, member) in members where member.writer == writer && member.phase == .released {
      let isRefused = parts[member.place]?.refusal != nil
      if isUnsaved(member), !isRefused { continue }
      // A later owner has changed it before it could be saved. In a group the later owner has continued from its state.
      let isLost = !isRefused && member.change > member.written && writers[writer]?.isGroup != true
      if isLost { end.lost.append(member.key) }
      remove(id, &end)
    }
  }

  private mutating func settle(_ plan: Plan, _ outcome: Outcome, _ end: inout End) {
    for state in plan.states {
      guard outcome.written.contains(state.member) else {
        if members[state.member]?.phase == .released { remove(state.member, &end) }
        continue
      }
      let place = Place(key: state.key, writer: plan.writer)
      var part = parts[place] ?? Part()
      part.saved = max(part.saved, state.rank)
      part.savedAt = count
      members[state.member]?.written = state.rank
      if let removal = part.removal, removal < state.rank { part.removal = nil }
      parts[place] = part
    }
    for id in plan.leaving { remove(id, &end) }
    for (key, number) in plan.removals {
      forget(Place(key: key, writer: plan.writer), upTo: number, &end)
    }
  }

  private mutating func remove(_ id: Int, _ end: inout End) {
    if members.removeValue(forKey: id) != nil { end.ended.append(id) }
  }

  /// The part is in the archive no more, and changes up to a number are dropped.
  private mutating func forget(_ place: Place, upTo number: Number, _ end: inout End) {
    var part = parts[place] ?? Part()
    part.saved = 0
    part.savedAt = 0
    part.purged = max(part.purged, number)
    if let removal = part.removal, removal <= number { part.removal = nil }
    part.refusal = nil
    parts[place] = part
    for (id, member) in members where member.place == place && member.change <= number {
      if member.phase == .active { members[id]?.phase = .idle }
      if member.phase == .released { remove(id, &end) }
    }
  }

  private static func ending(_ error: ArchiveError?) -> ArchiveSchedule.Outcome {
    switch error {
    case nil: .saved
    case .notEncodable, .refused, .partsRefused, .tooDeep: .abandoned
    default: .failed
    }
  }

  /// The error that names the parts which stay as they are although there are states to save.
  private func refusal(of writer: Writer) -> ArchiveError? {
    let keys = Set(
      members.values.filter { $0.writer == writer && $0.phase != .idle && parts[$0.place]?.refusal != nil }
        .map(\.key)
    )
    guard let reason = keys.min().flatMap({ parts[Place(key: $0, writer: writer)]?.refusal }) else {
      return nil
    }
    if writers[writer]?.isGroup != true { return .refused(reason: "\(reason)") }
    return .partsRefused(keys: keys.sorted(), reason: "\(reason)")
  }

  // MARK: Removals

  /// The next save removes a part. Later changes of its members are saved.
  mutating func beginRemoving(_ place: Place) { parts[place, default: Part()].removal = count }

  /// The save that was to remove a part has ended.
  ///
  /// - Returns: whether the part was removed. If not, no later save removes it. The time to set a timer for.
  mutating func endRemoving(_ place: Place, at now: Duration) -> (isRemoved: Bool, alarm: Duration?) {
    guard parts[place]?.removal != nil else { return (true, nil) }
    parts[place]?.removal = nil
    return (false, doubt(place.writer, at: now))
  }

  /// Called when the removal of the archive has failed, so that the archive may exist or not. Each state is saved
  /// again, unless another member with its key has a later, unsaved one.
  ///
  /// - Returns: the times to set timers for, by writer.
  mutating func purgeFailed(at now: Duration) -> [Writer: Duration] {
    var alarms: [Writer: Duration] = [:]
    for place in parts.keys { parts[place]?.saved = 0 }
    for writer in writers.keys where writers[writer]?.isGroup == true {
      alarms[writer] = doubt(writer, at: now)
    }
    for (id, member) in members.sorted(by: { $0.value.rank < $1.value.rank }) where member.phase == .active {
      // Unsaved changes of another owner are later than the state of this one.
      if members.values.contains(where: { isSamePart($0, member) && isUnsaved($0) }) { continue }
      if let alarm = changed(id, at: now) { alarms[member.writer] = alarm }
    }
    return alarms
  }

  /// The archive was removed with all its parts. Changes before `number` are not saved.
  ///
  /// - Returns: the members that have ended.
  mutating func purged(upTo number: Number) -> [Int] {
    var end = End()
    for place in Set(parts.keys).union(members.values.map(\.place)) { forget(place, upTo: number, &end) }
    for writer in writers.keys { writers[writer]?.isContentUnknown = false }
    return end.ended
  }
}
