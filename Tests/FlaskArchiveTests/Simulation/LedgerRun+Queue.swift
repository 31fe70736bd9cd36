@_spi(Checks) @testable import FlaskArchive

// The queue of the archive, and its disk.
extension LedgerRun {
  mutating func drain() {
    var count = 0
    while !jobs.isEmpty {
      step()
      count += 1
      if count > 1_000 { return fail("the queue never ends") }
    }
  }

  mutating func step() {
    guard let job = jobs.first else { return }
    switch (job, stage) {
    case (.purge, .purging(let number, let value)?):
      stage = nil
      purge(upTo: number, value)
    case (.purge, _):
      for owner in owners.indices { owners[owner].isTouched = false }
      stage = .purging(ledger: ledger.count, value: number)
    case (_, .purging?): stage = nil
    case (.write(let writer, let questions), nil):
      if let plan = ledger.beginSave(by: writer, isAsked: !questions.isEmpty) {
        stage = .begun(plan)
      } else {
        var end = ArchiveLedger.End()
        ledger.endReleased(of: writer, &end)
        note(end)
        answer(questions, isDone: true, writer)
      }
    case (_, .begun(let plan)?): pin(plan)
    case (_, .pinned(let plan, let states, let outcome)?): write(plan, states, outcome)
    case (.write(let writer, let questions), .written(let plan, let outcome)?):
      stage = nil
      let end = ledger.endSave(plan, outcome, at: now)
      note(end)
      setAlarm(writer, end.alarm)
      if !end.lost.isEmpty, ledger.isUnsaved(writer) { return }
      answer(questions, isDone: end.error == nil, writer)
    }
  }

  mutating func pin(_ plan: ArchiveLedger.Plan) {
    var outcome = ArchiveLedger.Outcome()
    var states: [(member: Int, key: Int, value: Int)] = []
    if let key = plan.blocker { outcome.error = .refused(reason: key) }
    for state in plan.states {
      guard let owner = owners.first(where: { $0.member == state.member }) else { continue }
      if owner.isBroken {
        outcome.error = .notEncodable(reason: "")
        outcome.unencodable = state.member
      }
      if owner.isPurged { fail("what was purged is saved again, unasked") }
      states.append((state.member, owner.key, owner.value))
    }
    // It may have been mixed since the save began.
    if let key = ledger.blocker(of: plan.writer) { outcome.error = .refused(reason: key) }
    let isUnread = owners.contains { $0.writer == plan.writer && $0.isOpening && $0.isMixedWhileOpening }
    if outcome.error == nil, isUnread { fail("it is saved before what was mixed has been read") }
    if outcome.error == nil, isGroup { for state in states { contents[state.key] = state.value } }
    stage = .pinned(plan, states, outcome)
  }

  mutating func write(
    _ plan: ArchiveLedger.Plan,
    _ states: [(member: Int, key: Int, value: Int)],
    _ outcome: ArchiveLedger.Outcome
  ) {
    var outcome = outcome
    guard outcome.error == nil else { return stage = .written(plan, outcome) }
    var next = disk
    if isGroup {
      next = contents
      for key in next.indices where plan.removals[Self.names[key]] != nil { next[key] = 0 }
    } else {
      for state in states { next[state.key] = state.value }
    }
    for key in next.indices where next[key] != disk[key] && next[key] != 0 {
      if next[key] > number { fail("a state that never was") }
    }
    if failure != .before { disk = next }
    if failure == .after { for key in disk.indices { promises[key].mayBeAbsent = true } }
    if failure == .none {
      outcome.written = Set(states.map(\.member))
      if isGroup { contents = next }
    } else {
      outcome.error = .backend(description: "")
    }
    failure = .none
    stage = .written(plan, outcome)
  }

  mutating func purge(upTo number: Int, _ value: Int) {
    jobs.removeFirst()
    if failure != .before { for key in disk.indices { disk[key] = 0 } }
    if failure != .none {
      // What was removed although that failed is written again, if there is an owner who has it.
      if failure == .after {
        for key in disk.indices {
          promises[key].mayBeAbsent = true
          if !owners.contains(where: { $0.key == key && $0.isLive }) { promises[key].isExcused = true }
        }
      }
      failure = .none
      for (writer, alarm) in ledger.purgeFailed(at: now) { setAlarm(writer, alarm) }
      return
    }
    contents = disk
    _ = ledger.purged(upTo: number)
    for owner in owners.indices where !owners[owner].isTouched { owners[owner].isPurged = true }
    for key in disk.indices {
      let committed = promises[key].committed
      let isExcused = promises[key].isExcused || committed <= value
      let contested = max(value, promises[key].contested)
      promises[key] = Promise(committed: committed, contested: contested, isExcused: isExcused)
    }
  }

  mutating func note(_ end: ArchiveLedger.End) {
    for key in promises.indices where end.lost.contains(Self.names[key]) { promises[key].isExcused = true }
    for owner in owners.indices where end.ended.contains(owners[owner].member) {
      owners[owner].isLeaving = false
    }
    for writer in writers where !isGroup { _ = ledger.end(writer) }
  }

  mutating func answer(_ questions: [Question], isDone: Bool, _ writer: Int) {
    jobs.removeFirst()
    for question in questions {
      switch question {
      case .save(let owner, let value):
        if isDone, !hasLeft(owner) { promise(owners[owner].key, value, isExact: true) }
      case .flush(let values):
        for (owner, value) in values where isDone && !hasLeft(owner) {
          // The whole flush is false if a later owner's state was not saved.
          let key = owners[owner].key
          if owners.contains(where: { $0.key == key && $0.member != owners[owner].member && $0.value > value }
          ) {
            continue
          }
          promise(owners[owner].key, value, isExact: false)
        }
      case .leave(let owner):
        let key = owners[owner].key
        if endLeave(owner) {
          // Its state is in another archive. Another owner's state may be the part.
          let isAlone = owners.count { $0.key == key } == 1
          if isAlone, disk[key] != 0 { fail("\(Self.names[key]) has left, and its part is there") }
          promises[key] = Promise(committed: number)
        }
      case .remove(let key):
        let place = ArchiveLedger.Place(key: Self.names[key], writer: writer)
        let (isRemoved, alarm) = ledger.endRemoving(place, at: now)
        setAlarm(writer, alarm)
        if isDone, isRemoved {
          if disk[key] != 0 { fail("\(Self.names[key]) was removed, and is there") }
          promises[key] = Promise(committed: promises[key].committed)
        }
      }
    }
  }

  /// Whether the state of a member is in another archive.
  func hasLeft(_ owner: Int) -> Bool {
    owners[owner].isLeaving || (owners[owner].isLive && ledger.members[owners[owner].member] == nil)
  }

  /// Notes whether a key has two owners now.
  mutating func contest(_ key: Int) {
    if owners.count(where: { $0.key == key && $0.isLive }) > 1 { promises[key].contested = number }
  }

  /// A value was said to be durable: a kill now leaves it, or a later one.
  mutating func promise(_ key: Int, _ value: Int, isExact: Bool) {
    if promises[key].isExcused, !isExact { return }
    contest(key)
    if value <= promises[key].contested { return }
    if disk[key] < value, !promises[key].isExcused {
      fail("\(Self.names[key]) \(value) was saved, and \(disk[key]) is there")
    }
    promises[key].durable = min(value, disk[key])
    promises[key].mayBeAbsent = false
  }
}
