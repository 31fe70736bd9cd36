@_spi(Checks) @testable import FlaskArchive

// The owners, and the end of their process.
extension LedgerRun {
  mutating func make(_ key: Int, isOpening: Bool) {
    // It is read after the jobs that were begun, as on the queue of the archive, and after changes of earlier owners.
    drain()
    if !isGroup {
      for writer in writers where ledger.isUnsaved(writer) { jobs.append(.write(writer: writer, [])) }
    }
    drain()
    if owners.contains(where: { $0.key == key && $0.isLive }) {
      if owners.count(where: { $0.isLive }) > 3 { return }
      promises[key].isExcused = true
    }
    if isGroup { encodeEarlier(key) }
    let writer = isGroup ? writers[0] : addWriter()
    if !isGroup {
      writers.append(writer)
      let ended = ledger.supersede(by: writer)
      if ended.values.contains(where: { !$0.isEmpty }) { promises[key].isExcused = true }
    }
    let id = ledger.join(Self.names[key], owner: ArchiveOwner(name: ""), of: writer).id
    var owner = Owner(member: id, key: key, writer: writer, value: isGroup ? contents[key] : disk[key])
    if isOpening {
      owner.isOpening = true
      ledger.beginOpening(id)
    } else {
      ledger.wasRead(id)
    }
    owners.append(owner)
  }

  /// The last change of an earlier owner is encoded before the part is read, also if nothing may be written now.
  private mutating func encodeEarlier(_ key: Int) {
    let place = ArchiveLedger.Place(key: Self.names[key], writer: writers[0])
    let earlier = ledger.unsavedReleased(place)
    if let owner = owners.first(where: { $0.member == earlier }), !owner.isBroken {
      contents[key] = owner.value
    }
  }

  mutating func open(_ owner: Int) {
    guard owners[owner].isOpening else { return }
    owners[owner].isOpening = false
    // Of two owners that live at the same time, the one that arrives last is kept.
    let key = owners[owner].key
    if owners.count(where: { $0.key == key && $0.isLive }) > 1 {
      promises[key] = Promise(committed: promises[key].committed)
    }
    setAlarm(owners[owner].writer, ledger.endOpening(owners[owner].member, at: now))
    if owners[owner].value > (isGroup ? contents[owners[owner].key] : disk[owners[owner].key]) {
      setAlarm(owners[owner].writer, ledger.changed(owners[owner].member, at: now))
    }
  }

  mutating func mix(_ owner: Int) {
    guard owners[owner].isLive else { return }
    number += 1
    owners[owner].value = number
    touch(owner)
    owners[owner].isBroken = false
    if owners[owner].isOpening {
      ledger.mixedWhileOpening(owners[owner].member)
      owners[owner].isMixedWhileOpening = true
    } else {
      setAlarm(owners[owner].writer, ledger.changed(owners[owner].member, at: now))
    }
    let key = owners[owner].key
    promises[key].committed = number
    // A fault names two owners that live at the same time: one of them is kept.
    promises[key].isExcused = owners.count { $0.key == key && $0.isLive } > 1
  }

  mutating func ask(_ writer: Int, _ question: Question) {
    guard ledger.blocker(of: writer) == nil else { return }
    if case .write(writer, var questions)? = jobs.last, jobs.count > 1 || stage == nil {
      questions.append(question)
      jobs[jobs.count - 1] = .write(writer: writer, questions)
    } else {
      jobs.append(.write(writer: writer, [question]))
    }
  }

  mutating func touch(_ owner: Int) {
    owners[owner].isPurged = false
    owners[owner].isTouched = true
  }

  mutating func save(_ owner: Int) {
    guard owners[owner].isLive, !owners[owner].isOpening, !owners[owner].isLeaving else { return }
    // A fault names two owners that live at the same time.
    let key = owners[owner].key
    if owners.count(where: { $0.key == key && $0.isLive }) > 1 { promises[key].isExcused = true }
    touch(owner)
    ledger.ask(owners[owner].member)
    ask(owners[owner].writer, .save(owner: owner, value: owners[owner].value))
  }

  mutating func flush() {
    for writer in writers where ledger.isUnsaved(writer) || ledger.hasReleased(writer) {
      var values: [(owner: Int, value: Int)] = []
      for (index, owner) in owners.enumerated() where owner.writer == writer {
        guard let member = ledger.members[owner.member], ledger.isUnsaved(member) else { continue }
        values.append((index, owner.value))
      }
      ask(writer, .flush(values))
    }
  }

  mutating func leave(_ owner: Int) {
    guard isGroup, owners[owner].isLive, !owners[owner].isOpening, !owners[owner].isLeaving else { return }
    owners[owner].isLeaving = true
    // Its state is in another archive already.
    promises[owners[owner].key].mayBeAbsent = true
    ledger.beginLeaving(owners[owner].member)
    ask(owners[owner].writer, .leave(owner: owner))
    if ledger.blocker(of: owners[owner].writer) != nil { _ = endLeave(owner) }
  }

  mutating func endLeave(_ owner: Int) -> Bool {
    owners[owner].isLeaving = false
    let (hasLeft, alarm) = ledger.endLeaving(owners[owner].member, at: now)
    setAlarm(owners[owner].writer, alarm)
    if hasLeft { owners[owner].isLive = false }
    return hasLeft
  }

  mutating func remove(_ key: Int) {
    guard isGroup, stage == nil, jobs.isEmpty else { return }
    let place = ArchiveLedger.Place(key: Self.names[key], writer: writers[0])
    ledger.beginRemoving(place)
    jobs = [.write(writer: writers[0], [.remove(key: key)])]
    drain()
  }

  mutating func release(_ owner: Int) {
    guard owners[owner].isLive, !owners[owner].isLeaving else { return }
    // An opening retains its owner.
    if owners[owner].isOpening { open(owner) }
    contest(owners[owner].key)
    owners[owner].isLive = false
    let writer = owners[owner].writer
    let (isKept, alarm) = ledger.release(owners[owner].member, isSavable: true, at: now)
    setAlarm(writer, alarm)
    if isKept { jobs.append(.write(writer: writer, [])) }
    if !isGroup {
      ledger.close(writer)
      _ = ledger.end(writer)
    }
  }

  mutating func setAlarm(_ writer: Int, _ instant: Duration?) {
    if let instant { alarms.append((writer, instant)) }
  }

  mutating func fireTimers(_ duration: Duration) {
    now += duration
    let due = alarms.filter { $0.instant <= now }
    alarms.removeAll { $0.instant <= now }
    for (writer, instant) in due {
      switch ledger.writers[writer]?.schedule.wokeUp(from: instant, at: now) {
      case .write: jobs.append(.write(writer: writer, []))
      case .sleep(let instant): alarms.append((writer, instant))
      case .rest, nil: break
      }
    }
  }

  mutating func restart() {
    for key in disk.indices where disk[key] < promises[key].durable && !promises[key].mayBeAbsent {
      fail("\(Self.names[key]) \(promises[key].durable) was durable, and \(disk[key]) is there")
    }
    begin()
    for key in disk.indices { promises[key].isExcused = true }
  }

  mutating func exit() {
    failure = .none
    for owner in owners.indices where owners[owner].isOpening { open(owner) }
    drain()
    flush()
    drain()
    for key in disk.indices where !promises[key].isExcused && disk[key] < promises[key].committed {
      if promises[key].committed <= promises[key].contested { continue }
      let isBroken = owners.contains { $0.isLive && $0.isBroken }
      if !isBroken { fail("\(Self.names[key]) \(promises[key].committed) is lost at the exit, unnoticed") }
    }
    for owner in owners.indices { release(owner) }
    drain()
    fireTimers(.seconds(12))
    drain()
    if problem == nil, !ledger.members.isEmpty { fail("a member is kept after the end of its owner") }
    restart()
  }
}
