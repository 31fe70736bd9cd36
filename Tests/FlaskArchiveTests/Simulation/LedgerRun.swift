@testable import FlaskArchive

/// A ledger, and a model of everything around it: owners whose states are numbers, a queue, and a disk that fails.
///
/// An event is two small numbers: what happens, and to which owner or key. An event that is impossible now does nothing,
/// so that any part of a history is a history.
struct LedgerRun {
  struct Event {
    let kind: UInt8
    let target: UInt8

    enum Kind: UInt8, CaseIterable {
      case make, mix, mixAgain, breakState, save, flush, leave, remove, purge, release, open, failBefore,
        failAfter
      case timer, step, stepAgain, run, kill, exit
    }

    var name: String { "\(Kind(rawValue: kind % UInt8(Kind.allCases.count))!)(\(target))" }
  }

  private struct Owner {
    let member: Int
    let key: Int
    let writer: Int
    var value: Int
    var isLive = true
    var isBroken = false
    var isOpening = false
    var isLeaving = false
  }

  private enum Question {
    case save(owner: Int, value: Int)
    case flush([(owner: Int, value: Int)])
    case leave(owner: Int)
    case remove(key: Int)
  }

  private enum Job {
    case write(writer: Int, [Question])
    case purge
  }

  private enum Stage {
    case begun(ArchiveLedger.Plan)
    case pinned(ArchiveLedger.Plan, [(member: Int, key: Int, value: Int)], ArchiveLedger.Outcome)
    case written(ArchiveLedger.Plan, ArchiveLedger.Outcome)
  }

  /// What is promised of a key.
  private struct Promise {
    var durable = 0
    var committed = 0
    var mayBeAbsent = true
    /// Numbers up to this one are not promised: they were purged, or two owners lived at the same time, which a fault
    /// names.
    var contested = 0
    var isExcused = true
  }

  private enum Failure { case none, before, after }

  let isGroup: Bool
  private var ledger = ArchiveLedger()
  private var disk: [Int]
  /// The parts of the group as the process knows them.
  private var contents: [Int]
  private var promises: [Promise]
  private var owners: [Owner] = []
  private var writers: [Int] = []
  private var jobs: [Job] = []
  private var stage: Stage?
  private var failure = Failure.none
  private var number = 0
  private var now = Duration.zero
  private var alarms: [(writer: Int, instant: Duration)] = []
  private(set) var problem: String?

  private static let names = ["a", "b", "c"]

  init(isGroup: Bool) {
    self.isGroup = isGroup
    let count = isGroup ? 3 : 1
    disk = Array(repeating: 0, count: count)
    contents = disk
    promises = Array(repeating: Promise(), count: count)
    begin()
  }

  /// Performs a history, and ends the process.
  ///
  /// - Returns: what was wrong; `nil` if nothing was.
  static func problem(of history: some Sequence<Event>, isGroup: Bool) -> String? {
    var run = LedgerRun(isGroup: isGroup)
    for event in history {
      run.perform(event)
      if run.problem != nil { return run.problem }
    }
    run.exit()
    return run.problem
  }

  private mutating func begin() {
    ledger = ArchiveLedger()
    contents = disk
    owners = []
    writers = []
    jobs = []
    stage = nil
    alarms = []
    failure = .none
    if isGroup { writers = [addWriter()] }
  }

  private mutating func addWriter() -> Int {
    let schedule = ArchiveSchedule(delay: .seconds(2), cap: .seconds(10))
    return ledger.addWriter(owner: ArchiveOwner(name: ""), isGroup: isGroup, schedule: schedule).id
  }

  private mutating func fail(_ text: String) { if problem == nil { problem = text } }

  private mutating func perform(_ event: Event) {
    let target = Int(event.target)
    let owner = owners.isEmpty ? nil : Optional(target % owners.count)
    switch Event.Kind(rawValue: event.kind % UInt8(Event.Kind.allCases.count))! {
    case .make: make(target % disk.count, isOpening: target % 7 == 0)
    case .mix, .mixAgain: if let owner { mix(owner) }
    case .breakState:
      if let owner, owners[owner].isLive {
        mix(owner)
        owners[owner].isBroken = target % 2 == 0
      }
    case .save: if let owner { save(owner) }
    case .flush: flush()
    case .leave: if let owner { leave(owner) }
    case .remove: remove(target % disk.count)
    case .purge: if owners.allSatisfy({ !$0.isOpening }) { jobs.append(.purge) }
    case .release: if let owner { release(owner) }
    case .open: if let owner { open(owner) }
    case .failBefore: failure = .before
    case .failAfter: failure = .after
    case .timer: fireTimers(.seconds(target % 2 == 0 ? 2 : 12))
    case .step, .stepAgain: step()
    case .run: drain()
    case .kill: restart()
    case .exit: exit()
    }
  }

  // MARK: The client

  private mutating func make(_ key: Int, isOpening: Bool) {
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
    let writer = isGroup ? writers[0] : addWriter()
    if !isGroup { writers.append(writer) }
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

  private mutating func open(_ owner: Int) {
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

  private mutating func mix(_ owner: Int) {
    guard owners[owner].isLive else { return }
    number += 1
    owners[owner].value = number
    owners[owner].isBroken = false
    if owners[owner].isOpening {
      ledger.mixedWhileOpening(owners[owner].member)
    } else {
      setAlarm(owners[owner].writer, ledger.changed(owners[owner].member, at: now))
    }
    let key = owners[owner].key
    promises[key].committed = number
    // A fault names two owners that live at the same time: one of them is kept.
    promises[key].isExcused = owners.count { $0.key == key && $0.isLive } > 1
  }

  private mutating func ask(_ writer: Int, _ question: Question) {
    guard ledger.blocker(of: writer) == nil else { return }
    if case .write(writer, var questions)? = jobs.last, jobs.count > 1 || stage == nil {
      questions.append(question)
      jobs[jobs.count - 1] = .write(writer: writer, questions)
    } else {
      jobs.append(.write(writer: writer, [question]))
    }
  }

  private mutating func save(_ owner: Int) {
    guard owners[owner].isLive, !owners[owner].isOpening, !owners[owner].isLeaving else { return }
    // A fault names two owners that live at the same time.
    let key = owners[owner].key
    if owners.count(where: { $0.key == key && $0.isLive }) > 1 { promises[key].isExcused = true }
    ledger.ask(owners[owner].member)
    ask(owners[owner].writer, .save(owner: owner, value: owners[owner].value))
  }

  private mutating func flush() {
    for writer in writers where ledger.isUnsaved(writer) {
      var values: [(owner: Int, value: Int)] = []
      for (index, owner) in owners.enumerated() where owner.writer == writer {
        guard let member = ledger.members[owner.member], ledger.isUnsaved(member) else { continue }
        values.append((index, owner.value))
      }
      ask(writer, .flush(values))
    }
  }

  private mutating func leave(_ owner: Int) {
    guard isGroup, owners[owner].isLive, !owners[owner].isOpening, !owners[owner].isLeaving else { return }
    owners[owner].isLeaving = true
    // Its state is in another archive already.
    promises[owners[owner].key].mayBeAbsent = true
    ledger.beginLeaving(owners[owner].member)
    ask(owners[owner].writer, .leave(owner: owner))
    if ledger.blocker(of: owners[owner].writer) != nil { _ = endLeave(owner) }
  }

  private mutating func endLeave(_ owner: Int) -> Bool {
    owners[owner].isLeaving = false
    let (hasLeft, alarm) = ledger.endLeaving(owners[owner].member, at: now)
    setAlarm(owners[owner].writer, alarm)
    if hasLeft { owners[owner].isLive = false }
    return hasLeft
  }

  private mutating func remove(_ key: Int) {
    guard isGroup, stage == nil, jobs.isEmpty else { return }
    let place = ArchiveLedger.Place(key: Self.names[key], writer: writers[0])
    ledger.beginRemoving(place)
    jobs = [.write(writer: writers[0], [.remove(key: key)])]
    drain()
  }

  private mutating func release(_ owner: Int) {
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

  private mutating func setAlarm(_ writer: Int, _ instant: Duration?) {
    if let instant { alarms.append((writer, instant)) }
  }

  private mutating func fireTimers(_ duration: Duration) {
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

  // MARK: The queue

  private mutating func drain() {
    var count = 0
    while !jobs.isEmpty {
      step()
      count += 1
      if count > 1_000 { return fail("the queue never ends") }
    }
  }

  private mutating func step() {
    guard let job = jobs.first else { return }
    switch (job, stage) {
    case (.purge, _): purge()
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

  private mutating func pin(_ plan: ArchiveLedger.Plan) {
    var outcome = ArchiveLedger.Outcome()
    var states: [(member: Int, key: Int, value: Int)] = []
    if let key = plan.blocker { outcome.error = .refused(reason: key) }
    for state in plan.states {
      guard let owner = owners.first(where: { $0.member == state.member }) else { continue }
      if owner.isBroken {
        outcome.error = .notEncodable(reason: "")
        outcome.unencodable = state.member
      }
      states.append((state.member, owner.key, owner.value))
    }
    if outcome.error == nil, isGroup { for state in states { contents[state.key] = state.value } }
    stage = .pinned(plan, states, outcome)
  }

  private mutating func write(
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

  private mutating func purge() {
    jobs.removeFirst()
    let number = ledger.count
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
    for key in disk.indices {
      promises[key] = Promise(committed: promises[key].committed, contested: self.number)
    }
  }

  private mutating func note(_ end: ArchiveLedger.End) {
    for key in end.lost { promises[Self.names.firstIndex(of: key)!].isExcused = true }
    for owner in owners.indices where end.ended.contains(owners[owner].member) {
      owners[owner].isLeaving = false
    }
    for writer in writers where !isGroup { _ = ledger.end(writer) }
  }

  private mutating func answer(_ questions: [Question], isDone: Bool, _ writer: Int) {
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
  private func hasLeft(_ owner: Int) -> Bool {
    owners[owner].isLeaving || (owners[owner].isLive && ledger.members[owners[owner].member] == nil)
  }

  /// Notes whether a key has two owners now.
  private mutating func contest(_ key: Int) {
    if owners.count(where: { $0.key == key && $0.isLive }) > 1 { promises[key].contested = number }
  }

  /// A value was said to be durable: a kill now leaves it, or a later one.
  private mutating func promise(_ key: Int, _ value: Int, isExact: Bool) {
    if promises[key].isExcused, !isExact { return }
    contest(key)
    if value <= promises[key].contested { return }
    if disk[key] < value, !promises[key].isExcused {
      fail("\(Self.names[key]) \(value) was saved, and \(disk[key]) is there")
    }
    promises[key].durable = min(value, disk[key])
    promises[key].mayBeAbsent = false
  }

  // MARK: Ends

  private mutating func restart() {
    for key in disk.indices where disk[key] < promises[key].durable && !promises[key].mayBeAbsent {
      fail("\(Self.names[key]) \(promises[key].durable) was durable, and \(disk[key]) is there")
    }
    begin()
    for key in disk.indices { promises[key].isExcused = true }
  }

  private mutating func exit() {
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
