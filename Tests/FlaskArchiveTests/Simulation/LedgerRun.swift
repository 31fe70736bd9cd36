@_spi(Checks) @testable import FlaskArchive

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

    var what: Kind { Kind.allCases[Int(kind) % Kind.allCases.count] }

    var name: String { "\(what)(\(target))" }
  }

  struct Owner {
    let member: Int
    let key: Int
    let writer: Int
    var value: Int
    var isLive = true
    var isBroken = false
    var isOpening = false
    var isMixedWhileOpening = false
    /// Whether its state was purged, and was neither mixed nor asked to be saved since.
    var isPurged = false
    /// Whether its state was mixed, or asked to be saved, since a purge began.
    var isTouched = false
    var isLeaving = false
  }

  enum Question {
    case save(owner: Int, value: Int)
    case flush([(owner: Int, value: Int)])
    case leave(owner: Int)
    case remove(key: Int)
  }

  enum Job {
    case write(writer: Int, [Question])
    case purge
  }

  enum Stage {
    /// The changes up to a number of the ledger, and up to a value, are about to be purged.
    case purging(ledger: Int, value: Int)
    case begun(ArchiveLedger.Plan)
    case pinned(ArchiveLedger.Plan, [(member: Int, key: Int, value: Int)], ArchiveLedger.Outcome)
    case written(ArchiveLedger.Plan, ArchiveLedger.Outcome)
  }

  /// What is promised of a key.
  struct Promise {
    var durable = 0
    var committed = 0
    var mayBeAbsent = true
    /// Numbers up to this one are not promised: they were purged, or two owners lived at the same time, which a fault
    /// names.
    var contested = 0
    var isExcused = true
  }

  enum Failure { case none, before, after }

  let isGroup: Bool
  var ledger = ArchiveLedger()
  var disk: [Int]
  /// The parts of the group as the process knows them.
  var contents: [Int]
  var promises: [Promise]
  var owners: [Owner] = []
  var writers: [Int] = []
  var jobs: [Job] = []
  var stage: Stage?
  var failure = Failure.none
  var number = 0
  var now = Duration.zero
  var alarms: [(writer: Int, instant: Duration)] = []
  var problem: String?

  static let names = ["a", "b", "c"]

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

  mutating func begin() {
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

  mutating func addWriter() -> Int {
    let schedule = ArchiveSchedule(delay: .seconds(2), cap: .seconds(10))
    return ledger.addWriter(owner: ArchiveOwner(name: ""), isGroup: isGroup, schedule: schedule).id
  }

  mutating func fail(_ text: String) { if problem == nil { problem = text } }

  mutating func perform(_ event: Event) {
    let target = Int(event.target)
    let owner = owners.isEmpty ? nil : Optional(target % owners.count)
    switch event.what {
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
}
